/** The program of the container that installs the agent. */
import { agentFolder, bootFolder } from '../domain/dev/agent-pod.ts'
import { install } from './install.ts'

const { DEVTOOL_AGENT_BOOT: boot = bootFolder, DEVTOOL_AGENT_FOLDER: folder = agentFolder } = process.env
install({ boot, folder, loader: `${agentFolder}/ld.so` })
