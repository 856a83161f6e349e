/** What a use case may answer. Checked by the compiler only. */
import type { Result } from '../../src/app/result.ts'

type IsSame<A, B> = [A, B] extends [B, A] ? true : false

/** Nothing in which text for a terminal could be handed on. */
export const members: IsSame<keyof Result<object>, 'findings' | 'value' | 'chosen' | 'line'> = true

// @ts-expect-error text is no value: it is made by the views of the command line
export const printed: Result<string> = { findings: [], value: 'deployed' }
