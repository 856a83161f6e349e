/** The log texts of a run, from the output of `devtool --progress json`. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { at, isObject, type Json, parsedJson, textAt } from '../../cluster/json.ts'
import * as codec from '../../diagnostic/codec.ts'
import type { Diagnostic } from '../../diagnostic/diagnostic.ts'
import { harmless } from '../../text/harmless.ts'
import type { RunRecord } from './record.ts'

/** Longer lines are cut: they are for programs, not for people. */
const MOST_LENGTH = 8192

const LEFT_OUT = 'DT3180'

const cut = (line: string): string =>
  line.length <= MOST_LENGTH ? line : `${line.slice(0, MOST_LENGTH)}… (${line.length} characters)`

/** Lines that are safe for a terminal; colours are kept. */
export const logTexts = (text: string): ReadonlyArray<string> =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => harmless(cut(line), true))

const findingIn = (json: Json | undefined): Diagnostic | undefined =>
  pipe(
    codec.Diagnostic.decode(textAt(json, 'type') === 'found' ? at(json, 'diagnostic') : json),
    E.match(
      () => undefined,
      (found) => found,
    ),
  )

/** Why a run fails, after one more line: its first error, or else that destroy commands were left out. */
export const failureAfter = (before: Diagnostic | undefined, line: string): Diagnostic | undefined => {
  if (before?.severity === 'error') return before
  const found = findingIn(parsedJson(line))
  return found?.severity === 'error' || found?.code === LEFT_OUT ? found : before
}

/** Whether a command that ended with status 0 has left out destroy commands, of which it only warns. */
export const isLeftOut = ({ action }: RunRecord, failure: Diagnostic | undefined): boolean =>
  action === 'destroy' && failure?.code === LEFT_OUT

const joined = (...parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' ')

const ofFinding = ({ code, help, message, severity }: Diagnostic): string =>
  `${severity} ${code}: ${message}${help === undefined ? '' : `\n  help: ${help}`}`

/** The texts for people, without counts and durations. */
export const textsOf = (line: string): ReadonlyArray<string> => {
  const json = parsedJson(line)
  if (!isObject(json)) return logTexts(line)
  const found = findingIn(json)
  if (found !== undefined) return logTexts(ofFinding(found))
  const text = (name: string): string | undefined => textAt(json, name)
  switch (text('type')) {
    case 'said':
    case 'log':
      return logTexts(text('text') ?? '')
    case 'output':
      return logTexts(text('text') ?? '').map((one) => `${text('source')}: ${one}`)
    case 'step':
      return logTexts(joined(text('title'), text('state'), text('detail')))
    case 'build':
      return logTexts(joined(text('image'), text('name'), text('state')))
    case 'transfer':
    case 'durations':
    case 'lint':
    case 'end':
      return []
    case undefined:
    default:
      return logTexts(line)
  }
}
