import * as t from 'io-ts'
import { Count } from '../../domain/object/codecs.ts'

/**
 * Variables by which devtool's client requests more than SSH offers. `argv`: a command as a JSON list, run without a
 * shell. `session`: the id of a terminal that outlives its connection; with `received`, the number of output bytes that
 * the client has, the client resumes it. `folder`: the working directory.
 */
export const asked = {
  argv: 'DEVTOOL_AGENT_ARGV',
  session: 'DEVTOOL_AGENT_SESSION',
  received: 'DEVTOOL_AGENT_RECEIVED',
  folder: 'DEVTOOL_AGENT_FOLDER',
} as const

export const Arguments = t.readonlyArray(t.string)

/** Where the output of a terminal continues, and how much input it has read. */
export const Offsets = t.readonly(t.strict({ from: Count, taken: Count }))

/**
 * The first line on the standard error of such a terminal, which has no error output of its own: where it continues, or
 * why there is no such program.
 */
export const Resumption = t.union([Offsets, t.readonly(t.strict({ refused: t.string }))])
export type Resumption = t.TypeOf<typeof Resumption>
