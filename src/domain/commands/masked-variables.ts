/** Which values of `--var` are masked in output. */
import { isCredentialName } from '../text/credential.ts'
import { percentDecoded } from '../text/percent.ts'

/** Values that occur in any output, so that masking them would protect nothing. */
const ordinary: ReadonlySet<string> = new Set(['true', 'false', 'null', 'none', 'test', 'root', 'admin'])

/** JSON Web Tokens in the value, also after `Bearer`. */
const tokensIn = (value: string): ReadonlyArray<string> =>
  value.split(/[\s"',;=]+/).filter((word) => /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(word))
const isPem = (value: string): boolean => value.includes('-----BEGIN ')

/**
 * What comes after `://`. A `/` in a password ought to be encoded, and often is not; digits behind a colon are a port.
 */
const passwordAfter = (text: string): string | undefined => {
  const [url = ''] = text.split(/[\s"'<>]/, 1)
  const [authority = ''] = url.split(/[/?#]/, 1)
  const isWhole = authority.includes('@')
  const [start, end] = [authority.indexOf(':') + 1, (isWhole ? authority : url).lastIndexOf('@')]
  const isHost = !isWhole && /^(?:\[.*|\d*)$/.test(authority.slice(authority.startsWith('[') ? 0 : start))
  return start === 0 || start >= end || isHost ? undefined : url.slice(start, end)
}

/** The passwords of the URLs in the value, as they are written and as programs print them (decoded). */
const passwordsIn = (value: string): ReadonlyArray<string> => {
  const written = value
    .split('://')
    .slice(1)
    .flatMap((text) => passwordAfter(text) ?? [])
  return [...new Set(written.flatMap((each) => [each, percentDecoded(each)]))]
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
    return { name, parts: isMeant || isPem(value) ? [value] : [...tokensIn(value), ...passwordsIn(value)] }
  })
  return {
    values: judged.flatMap(({ parts }) => parts.filter((part) => !ordinary.has(part))),
    unmasked: judged.flatMap(({ name, parts }) => (parts.some((part) => ordinary.has(part)) ? [name] : [])),
  }
}
