/** The command as users start it: with the files of npm, or as the single executable that DEVTOOL_SINGLE names. */
import { shellQuoted } from '../process/shell.ts'
import { type Command, fromNpm, type RunOptions, runCommand } from './run-command.ts'

const { DEVTOOL_SINGLE: single } = process.env
export const installed: Command = single === undefined ? fromNpm : [single]

/** For a shell. */
export const installedWords = installed.map(shellQuoted).join(' ')

/** A program for the PATH. */
export const installedScript = `#!/bin/sh\nexec ${installedWords} "$@"\n`

export const runInstalled = (
  folder: string,
  args: ReadonlyArray<string>,
  options?: RunOptions,
): ReturnType<typeof runCommand> => runCommand(installed, folder, args, options)
