import type { ProgramRequest, Size } from './running.ts'

/** What a keeper is asked for. `socket`: its path. `pty`: that of the native module. */
export type KeeperRequest = ProgramRequest & { readonly size: Size; readonly socket: string; readonly pty: string }
