/** Whether usage data may be sent, and to whom. Without a collector's address nothing is ever sent. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { isObject, type JsonObject } from '../cluster/json.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { type DataOf, document, oneOf } from '../print/document.ts'
import type { Variables } from '../yaml/interpolate.ts'

export const ANALYTICS_FILE = 'analytics.json'

/** `because`: what disables it, if not the user's own setting. */
type Analytics = { readonly enabled: boolean; readonly because?: 'DO_NOT_TRACK' | 'CI' }

export const AnalyticsSetting = document(
  'analytics',
  'Whether usage data may be sent.',
  {
    enabled: [t.boolean, 'whether analytics are enabled'],
    isSending: [t.boolean, 'whether usage data is sent: never in this version'],
  },
  { because: [oneOf('DO_NOT_TRACK', 'CI'), 'the variable that disables analytics'] },
)
export type AnalyticsSetting = DataOf<typeof AnalyticsSetting>

const parsed = (text: string): unknown =>
  E.toUnion(
    E.tryCatch(
      (): unknown => JSON.parse(text),
      () => undefined,
    ),
  )

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fails with DT3406 when the file is not a JSON object. */
const readFile = (text: string | undefined): E.Either<Diagnostic, JsonObject> => {
  const value = text === undefined || text.trim() === '' ? {} : parsed(text)
  if (isJsonObject(value) && isObject(value)) return E.right(value)
  return E.left(
    error('DT3406', `${ANALYTICS_FILE} is not a JSON object`, {
      help: 'delete the file: `devtool analytics` creates it again',
    }),
  )
}

const isSet = (text: string | undefined): boolean =>
  text !== undefined && text !== '' && text !== '0' && text !== 'false'

/** On by default; DO_NOT_TRACK and CI disable it. */
export const readAnalytics = (text: string | undefined, variables: Variables): E.Either<Diagnostic, Analytics> =>
  pipe(
    readFile(text),
    E.map((file) => {
      if (file['enabled'] === false) return { enabled: false }
      const because = (['DO_NOT_TRACK', 'CI'] as const).find((name) => isSet(variables(name)))
      return because === undefined ? { enabled: true } : { enabled: false, because }
    }),
  )

/** The file with the setting changed and everything else kept. */
export const writeAnalytics = (text: string | undefined, enabled: boolean): E.Either<Diagnostic, string> =>
  pipe(
    readFile(text),
    E.map((file) => `${JSON.stringify({ schema: 1, ...file, enabled }, undefined, 2)}\n`),
  )
