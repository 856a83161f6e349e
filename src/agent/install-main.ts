/** The program of the container that installs the agent. */
import { existsSync, writeFileSync } from 'node:fs'
import { agentFolder, bootFolder } from '../domain/dev/agent-pod.ts'
import { install } from './install.ts'

const termination = '/dev/termination-log'
const { DEVTOOL_AGENT_BOOT: boot = bootFolder, DEVTOOL_AGENT_FOLDER: folder = agentFolder } = process.env
try {
  install({ boot, folder, loader: `${agentFolder}/ld.so` })
} catch (thrown) {
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  // The output of a hook is kept nowhere, but this file becomes the message of the container that is stopped.
  if (existsSync(termination)) writeFileSync(termination, reason)
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
