import * as t from 'io-ts'
import { ProgramRequest, Size } from './running.ts'

/** The input of a keeper. `socket`: its path. `pty`: that of the native module. */
export const KeeperRequest = t.intersection([
  ProgramRequest,
  t.readonly(t.strict({ size: Size, socket: t.string, pty: t.string })),
])
export type KeeperRequest = t.TypeOf<typeof KeeperRequest>
