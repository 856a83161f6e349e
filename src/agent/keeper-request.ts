import type { ProgramRequest } from './running.ts'

/** What a keeper is asked for. `socket`: its path. `pty`: that of the native module. */
export type KeeperRequest = ProgramRequest & { readonly socket: string; readonly pty: string }
