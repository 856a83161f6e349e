/** The script that CI systems run, against a devtool that only notes how it was called. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/command.ts'

export type Env = Readonly<Record<string, string>>
export const script = join(root, 'integrations/ci/devtool-ci.sh')

/** It prints what $ANSWER names, and writes the variables that matter to $ENVIRONMENT. */
export const writeNotingDevtool = (folder: string): void => {
  mkdirSync(join(folder, 'bin'))
  const lines = [
    '#!/bin/sh',
    'printf "%s|" "$@" >>"$CALLS"',
    'echo >>"$CALLS"',
    '[ -z "$ANSWER" ] || cat "$ANSWER"',
    '[ -z "${SAID:-}" ] || echo "$SAID" >&2',
    'line="TOKEN=${DEVTOOL_TOKEN-unset} GOLDEN=${DEVTOOL_GOLDEN-unset} TIMEOUT=${DEVTOOL_TIMEOUT-unset}"',
    'line="$line NAMESPACE=${DEVTOOL_NAMESPACE-unset} CONTEXT=${DEVTOOL_CONTEXT-unset}"',
    '[ -z "${ENVIRONMENT:-}" ] || echo "$line" >"$ENVIRONMENT"',
    'exit "${STATUS:-0}"',
  ]
  writeFileSync(join(folder, 'bin/devtool'), `${lines.join('\n')}\n`, { mode: 0o755 })
}

/** Runs a command of the shell in a folder with that devtool. */
export const runNoting = (folder: string, command: ReadonlyArray<string>, env: Env = {}) => {
  const [calls, outputs] = [join(folder, 'calls'), join(folder, 'outputs')]
  for (const file of [calls, outputs]) rmSync(file, { force: true })
  const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`
  const all = { PATH, CALLS: calls, ANSWER: '', GITHUB_OUTPUT: outputs, ...env }
  const { status, stderr, stdout } = spawnSync('/bin/sh', command, { cwd: folder, env: all, encoding: 'utf8' })
  const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  return { status, stdout, stderr, calls: read(calls), outputs: read(outputs) }
}
