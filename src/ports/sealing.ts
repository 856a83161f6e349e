/** Texts that only the platform makes and reads, so that it need not store what it will be told again. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { JsonObject } from '../domain/cluster/json.ts'

/** `purpose`: a text that was sealed for one opens for no other. */
export type Sealing = {
  readonly seal: (purpose: string, content: JsonObject, seconds: number) => Task<string>
  /** `undefined` for a text of others, or one that has ended. */
  readonly open: (purpose: string, text: string) => Task<JsonObject | undefined>
}
