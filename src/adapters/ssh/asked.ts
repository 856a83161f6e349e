import * as t from 'io-ts'

/**
 * Variables by which devtool's client requests more than SSH offers. `argv`: a command as a JSON list, run without a
 * shell. `folder`: the working directory.
 */
export const asked = {
  argv: 'DEVTOOL_AGENT_ARGV',
  folder: 'DEVTOOL_AGENT_FOLDER',
} as const

export const Arguments = t.readonlyArray(t.string)
