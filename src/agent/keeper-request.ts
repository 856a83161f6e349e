import type { ProgramRequest, Size } from './running.ts'

/** The input of a keeper. `socket`: its path. `pty`: that of the native module. */
export type KeeperRequest = ProgramRequest & { readonly size: Size; readonly socket: string; readonly pty: string }
