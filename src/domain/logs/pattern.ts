/** Regular expressions for choosing services. They run in linear time, whatever the user writes. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { RE2JS } from 're2js'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'

/**
 * Whether a service is selected. The expression is anchored at the start: `api` selects every service whose name starts
 * with it.
 */
export type Pattern = (service: string) => boolean

type Fault = { readonly error: string; readonly input: string | null }

const isFault = (cause: unknown): cause is Fault =>
  typeof cause === 'object' && cause !== null && 'error' in cause && 'input' in cause && typeof cause.error === 'string'

/** The index of the first unmatched bracket. Brackets in classes and after `\` are ordinary characters. */
const unpaired = (text: string): number => {
  const open: Array<number> = []
  let isClass = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '\\') at += 1
    else if (isClass) isClass = char !== ']'
    else if (char === '[') isClass = true
    else if (char === '(') open.push(at)
    else if (char === ')' && open.pop() === undefined) return at
  }
  return open[0] ?? 0
}

const positionOf = (text: string, { error: reason, input }: Fault): number => {
  if (reason.includes(')') && (input === null || input === text)) return unpaired(text)
  if (input === null) return Math.max(0, text.length - 1)
  return Math.max(0, text.indexOf(input))
}

/** `what` names the flag or argument. Fails with DT3401. */
export const readPattern = (what: string, text: string): E.Either<Diagnostic, Pattern> =>
  pipe(
    E.tryCatch(
      () => RE2JS.compile(text),
      (cause): Fault => (isFault(cause) ? cause : { error: String(cause), input: text }),
    ),
    E.bimap(
      (fault) => {
        const why = `${fault.error} at character ${positionOf(text, fault) + 1}`
        return error('DT3401', `${what}: "${text}" is not a valid regular expression: ${why}`, {
          help: 'expressions use RE2 syntax; write \\ before a character to match it literally',
        })
      },
      (compiled): Pattern =>
        (service) =>
          compiled.matcher(service).lookingAt(),
    ),
  )
