/** Removes what must not be shared: values of Secrets and variables, and anything that looks like a credential. */

import { isObject, type Json, type JsonObject } from '../cluster/json.ts'
import { mask, secretLines } from '../commands/mask.ts'
import { publicUrl } from '../text/public-url.ts'

export const MASK = '***'

/** A match is kept up to the end of `$1`; the rest is masked. */
const patterns: ReadonlyArray<RegExp> = [
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@"']{0,100}:)[^\s@"']{1,300}(?=@)/gi,
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s:/@"']{1,300}(?=@)/gi,
  /(\b(?:bearer|basic|token)\s{1,3})[A-Za-z0-9._~+/=-]{8,}/gi,
  /([\w.-]{0,60}(?:password|passwd|passphrase|secret|token|credential|api_?-?key|access_?-?key(?:_?-?id)?|private_?-?key|authorization)s?\\{0,7}["']?[^\S\n]{0,3}[:=][^\S\n]{0,3})(?:\\{1,7}"[^"\\]*|"[^"]*"|'[^']*'|[^\s,;}"'\\]+)/gi,
  /()\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{12,}|sk-[\w-]{16,})/g,
]

/** JSON Web Tokens. */
const withoutTokens = (text: string): string =>
  text.replace(/[\w.-]{15,}/g, (word) => {
    const start = word.search(/\beyJ[\w-]{10}/)
    return start === -1 || !word.includes('.', start) ? word : word.slice(0, start) + MASK
  })

/** `values` are known to be secret. Law: none of their lines, if long enough to be a secret, occurs in the result. */
export const redactor = (values: Iterable<string>): ((text: string) => string) => {
  const secrets = secretLines(values)
  return (text) =>
    withoutTokens(patterns.reduce((left, pattern) => left.replace(pattern, `$1${MASK}`), mask(secrets, text)))
}

const isVariable = (json: Json): json is JsonObject => isObject(json) && typeof json['name'] === 'string'

const withoutValue = (variable: Json): Json =>
  isVariable(variable) && variable['value'] !== undefined ? { ...variable, value: MASK } : variable

const isList = (json: Json | undefined): json is ReadonlyArray<Json> => Array.isArray(json)

/**
 * `-x`, and `--name` of words in lower case: `-pHunter2` is a flag with its value, as programs such as mysql take it.
 */
const flag = /^(?:-[a-zA-Z]|--[a-z]{1,20}(?:-[a-z]{1,20}){0,5})(?==|$)/

/**
 * A name in lower case, perhaps with a version and an ending, or a path of such names. When in doubt, it does not
 * count.
 */
const program =
  /^(?:\.{0,2}\/)?(?:[a-z][a-z_-]{0,30}[0-9.]{0,4}\/){0,8}[a-z]{1,20}(?:[._-][a-z]{1,20}){0,4}[0-9]?(?:\.[0-9]{1,2})?$/

/** What the test of a Compose health check begins with. */
const testKind = /^(?:CMD|CMD-SHELL|NONE)$/

const wordsOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => text.trim().split(/\s+/)).filter((word) => word !== '')

/** One mask for consecutive words. */
const joined = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word, index) => word !== MASK || words[index - 1] !== MASK)

const maskWord = (word: string): string => flag.exec(word)?.[0] ?? MASK

/** The names of flags stay; everything else may be a credential. */
export const maskArguments = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  joined(wordsOf(texts).map(maskWord))

/** What a command runs stays too, if it looks like the name of a program. */
export const maskCommand = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...rest] = wordsOf(texts)
  if (first === undefined) return []
  const isKept = program.test(first) || testKind.test(first)
  return joined([isKept ? first : maskWord(first), ...rest.map(maskWord)])
}

const textIn = (word: Json): string => (typeof word === 'string' ? word : '')

/** The path that a probe requests, without its query. */
export const withoutQuery = (path: string): string => publicUrl(path).replace(/\?.*/s, `?${MASK}`)

/** Every `env` loses its values, annotations keep only their names, and `managedFields` is removed. */
export const withoutValues = (json: Json): Json => {
  if (typeof json === 'string') return publicUrl(json)
  if (isList(json)) return json.map(withoutValues)
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]): ReadonlyArray<readonly [string, Json]> => {
      if (value === undefined || key === 'managedFields') return []
      if ((key === 'env' || key === 'httpHeaders') && isList(value)) return [[key, value.map(withoutValue)]]
      if (key === 'command' && isList(value)) return [[key, maskCommand(value.map(textIn))]]
      if (key === 'args' && isList(value)) return [[key, maskArguments(value.map(textIn))]]
      if (key === 'path' && typeof value === 'string') return [[key, withoutQuery(value)]]
      if (key === 'annotations' && isObject(value)) return [[key, Object.keys(value)]]
      return [[key, withoutValues(value)]]
    }),
  )
}

/** The values that {@link withoutValues} removes, wherever they are. */
export const valuesIn = (json: Json): ReadonlyArray<string> => {
  if (isList(json)) return json.flatMap(valuesIn)
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (key !== 'env' || !isList(value)) return valuesIn(value)
    return value.flatMap((one) => (isVariable(one) && typeof one['value'] === 'string' ? [one['value']] : []))
  })
}

/** The names of devtool's own logs: the time and the process, so that they are in the order of the runs. */
export const isToolLog = (name: string): boolean => /^\d{14}-\d{1,10}\.log$/.test(name)
