/** Texts that only the platform can create and read, so that it need not store data that clients send back. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { JsonObject } from '../domain/cluster/json.ts'

/** `purpose`: a text that was sealed for one purpose cannot be opened for another. */
export type Sealing = {
  readonly seal: (purpose: string, content: JsonObject, seconds: number) => Task<string>
  /** `undefined` for a forged or expired text. */
  readonly open: (purpose: string, text: string) => Task<JsonObject | undefined>
}
