import * as t from 'io-ts'
import { Size } from '../adapters/ssh/framed.ts'
import { ProgramRequest } from './running.ts'

/** A program with a terminal of this size. `pty`: the path of the native module. */
const Terminal = t.readonly(t.strict({ size: Size, pty: t.string }))

/** The input of a keeper. `socket`: its path. Without `terminal`, the program has pipes. */
export const KeeperRequest = t.intersection([
  ProgramRequest,
  t.readonly(t.exact(t.intersection([t.type({ socket: t.string }), t.partial({ terminal: Terminal })]))),
])
export type KeeperRequest = t.TypeOf<typeof KeeperRequest>
