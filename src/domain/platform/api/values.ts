/** The values of requests and answers: codecs that know their JSON Schema. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { JsonObject } from '../../cluster/json.ts'
import { isDnsLabel } from '../../text/dns-name.ts'
import { readMoment } from '../../text/moment.ts'
import { isUserId } from '../names.ts'
import { isBranch, repositoryHost } from '../run/repository.ts'
import { isRunId, MOST_TIMEOUT_SECONDS } from '../run/request.ts'
import { readScope } from '../scope.ts'
import { MOST_VALUE_BYTES } from '../variables.ts'

/** A codec that brings its own schema. */
export type Described<A> = t.Type<A, A> & { readonly schema: JsonObject }

const described = <A>(name: string, read: (input: unknown) => A | undefined, schema: JsonObject): Described<A> => {
  const validate: t.Validate<unknown, A> = (input, context) => {
    const value = read(input)
    return value === undefined ? t.failure(input, context) : E.right(value)
  }
  const is = (input: unknown): input is A => read(input) !== undefined
  return Object.assign(new t.Type<A>(name, is, validate, t.identity), { schema })
}

/** Strings that `accepts` accepts. */
const textOf = (name: string, accepts: (text: string) => boolean, schema: JsonObject): Described<string> =>
  described(name, (input) => (typeof input === 'string' && accepts(input) ? input : undefined), {
    type: 'string',
    ...schema,
  })

/** A whole number in the range; in a query also as digits. */
const wholeOf = (name: string, minimum: number, maximum: number): Described<number> =>
  described(
    name,
    (input) => {
      const value = typeof input === 'string' && /^\d{1,9}$/.test(input) ? Number(input) : input
      return typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
        ? value
        : undefined
    },
    { type: 'integer', minimum, maximum },
  )

/** The pattern is used for the schema as well, so the two cannot differ. */
const matching = (name: string, pattern: RegExp): Described<string> =>
  textOf(name, (text) => pattern.test(text), { pattern: pattern.source })

/** Text entered by people: one line, without control characters. */
export const Line = matching('a line of 1 to 100 characters', /^[^\u0000-\u001f\u007f-\u009f]{1,100}$/u)
export const NamespaceLabel = textOf('the name of a namespace', isDnsLabel, {
  pattern: '^[a-z]([a-z0-9-]*[a-z0-9])?$',
  maxLength: 63,
})
export const UserId = textOf('the id of a user', isUserId, { pattern: '^u-[0-9a-f]{32}$' })
/** A user who has logged in can also be named by e-mail address. */
export const EmailOrId = matching(
  'the id or the e-mail address of a user',
  /^(?:u-[0-9a-f]{32}|[^@\s\u0000-\u001f\u007f-\u009f]{1,100}@[^@\s\u0000-\u001f\u007f-\u009f]{1,100})$/u,
)
export const TokenId = matching('the id of a token', /^[0-9a-z]{12}$/)
export const ScopeText = textOf('all, read or namespace:NAME', (text) => readScope(text) !== undefined, {
  pattern: '^(all|read|namespace:[a-z]([a-z0-9-]*[a-z0-9])?)$',
})
export const Timestamp = textOf('a timestamp', (text) => readMoment(text) !== undefined, { format: 'date-time' })
export const Days = wholeOf('1 to 365 days', 1, 365)
export const PageSize = wholeOf('a whole number from 1 to 500', 1, 500)
/** The names that `deploy` accepts for environments. */
export const EnvironmentName = textOf('the name of an environment', isDnsLabel, {
  pattern: '^[a-z]([a-z0-9-]*[a-z0-9])?$',
  maxLength: 63,
})
export const RunId = textOf('the id of a run', isRunId, { pattern: '^[0-9a-f]{16}$' })
export const RepositoryUrl = textOf(
  'an https:// address of a repository, without credentials',
  (text) => repositoryHost(text) !== undefined,
  { format: 'uri', pattern: '^https://' },
)
export const BranchName = textOf('the name of a branch or tag', isBranch, { maxLength: 200 })
/** A path inside the repository. */
export const FilePath = textOf(
  'a path inside of the repository',
  (text) => /^[^\u0000-\u001f\u007f\\]{1,300}$/.test(text) && !text.startsWith('/') && !text.split('/').includes('..'),
  { maxLength: 300 },
)
/** The address of a page, which is only displayed. */
export const PageUrl = matching('an https:// address', /^https:\/\/[^\s"'<>@\u0000-\u001f\u007f]{1,1000}$/)
export const TimeoutSeconds = wholeOf(`1 to ${MOST_TIMEOUT_SECONDS} seconds`, 1, MOST_TIMEOUT_SECONDS)
export const IdempotencyKey = matching('1 to 100 visible letters', /^[\x21-\x7e]{1,100}$/)
export const LastEventId = wholeOf('the number of a line', 0, 999_999_999)
/** `true` or `false`; in a query as text. */
export const Flag = described(
  'true or false',
  (input) => (input === true || input === 'true' ? true : input === false || input === 'false' ? false : undefined),
  { type: 'boolean' },
)
/** Names that other programs can read from their environment. */
export const VariableName = matching('a name of letters, digits and underscores', /^[A-Za-z_][A-Za-z0-9_]{0,127}$/)
export const VariableValue = textOf(
  'text of at most 32 KiB',
  (text) => !text.includes('\0') && new TextEncoder().encode(text).length <= MOST_VALUE_BYTES,
  { maxLength: MOST_VALUE_BYTES },
)
/** A sealed value that comes back; its content is checked where it is opened. */
export const Sealed = matching('a code that the platform gave', /^[\x21-\x7e]{1,4000}$/)
/** A verifier of PKCE (RFC 7636). */
export const Verifier = matching('43 to 128 letters, digits, dots, dashes and underscores', /^[A-Za-z0-9._~-]{43,128}$/)
export const Challenge = matching('a SHA-256 as base64url', /^[A-Za-z0-9_-]{43}$/)
/** The address at which a browser passes the code to a terminal on the same machine. */
export const Loopback = matching(
  'http://127.0.0.1:PORT/callback',
  /^http:\/\/127\.0\.0\.1:(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])\/callback$/,
)
/** The value by which a terminal recognises the answer to its own login. */
export const LoginState = matching('16 to 128 letters, digits, dashes and underscores', /^[A-Za-z0-9_-]{16,128}$/)
