/** Which values of `--var` are masked in output. */
import { isCredentialName } from '../text/credential.ts'

/** Words that are found in any output, and protect nothing. */
const ordinary: ReadonlySet<string> = new Set(['true', 'false', 'null', 'none', 'test', 'root', 'admin'])

const isJwt = (value: string): boolean => /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(value)
const isPem = (value: string): boolean => value.includes('-----BEGIN ')

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The password of a URL, as it is written and as programs print it. */
const passwordsIn = (value: string): ReadonlyArray<string> => {
  const [, written] = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:]*:([^\s/?#]+)@/i.exec(value) ?? []
  return written === undefined ? [] : [...new Set([written, decoded(written)])]
}

/** `unmasked`: variables that look like credentials, or were named, but have an ordinary word as their value. */
export type MaskedVariables = { readonly values: ReadonlyArray<string>; readonly unmasked: ReadonlyArray<string> }

/** `named`: those that are masked whatever their name and value. */
export const maskedVariables = (
  variables: Iterable<readonly [name: string, value: string]>,
  named: ReadonlyArray<string>,
): MaskedVariables => {
  const judged = [...variables].map(([name, value]) => {
    const isMeant = named.includes(name) || isCredentialName(name)
    const parts = isMeant || isJwt(value) || isPem(value) ? [value] : passwordsIn(value)
    return { name, parts, isMasked: !parts.some((part) => ordinary.has(part)) }
  })
  return {
    values: judged.flatMap(({ isMasked, parts }) => (isMasked ? parts : [])),
    unmasked: judged.flatMap(({ isMasked, name }) => (isMasked ? [] : [name])),
  }
}
