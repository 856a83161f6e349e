/** Finds private keys, tokens and passwords in the text of any file. In case of doubt a text counts as secret. */
import { isCredentialName, isSwitch } from './credential.ts'

const privateKey =
  /BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|BEGIN OpenVPN Static key|LS0tLS1CRUdJTi(?!BDRVJU)|Private-Lines:|AGE-SECRET-KEY-1|AGE-PLUGIN-|client-key-data["']?\s{0,9}:/i

/** Tokens that are recognised by their prefix. */
const token =
  /\bgh[pousr]_[A-Za-z0-9]{16}|github_pat_|glpat-\w|\bAKIA[A-Z0-9]{16}|\bxox[abprs]-\w|\b[sr]k_live_|\bhv[sbr]\.[\w-]{16}|\beyJ[\w-]{10,99}\.|\bnpm_[A-Za-z0-9]{30}|\bAIza[\w-]{30}|dckr_pat_|\b(?:Bearer|Basic) (?=[A-Za-z+/-]{0,40}[0-9])[\w.+/-]{12}/

/** Further names of secrets, which count in files but not as names of variables. */
const nameInFiles =
  /(?:pre_?shared|master|account|storage|shared_?access|jwt|cookie)_?key$|(?:root|bind|db|user|require|auth|master|smtp|mail|redis|mysql|pg|admin)_?(?:pw|pass|pwd|auth)$|(?:^|_)(?:pw|pass|pwd|pass_?phrase)$/i

const isSecretName = (name: string): boolean => {
  const words = name.replaceAll(/[.-]/g, '_').replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
  return isCredentialName(words) || nameInFiles.test(words)
}

/** Placeholders for a value that is not in the file. */
const reference =
  /^(?:\$\{[\w.]+(?::?[?-])?\}|\$\{[\w.]+:?\?|\$\(|\$\{\{|\{\{|\{%|<%|<\/|<[\w-]+>?$|%\(|%[A-Za-z_]\w*%|%env\()/
const variable = /^\$[A-Za-z_]\w*(?:\[|->\w*)?$/
const code = /^(?:process\.env|os\.environ|import\.meta\.env)\b|^[A-Za-z_][\w.]*\((?:[\w.]*\))?$/
const nothing = /^(?:null|none|nil|undefined|~)$/i

const isSecretValue = (name: string, text: string): boolean => {
  const isQuoted = /^["'`]/.test(text)
  const value = isQuoted ? text.slice(1) : text
  const end = value.search(isQuoted ? /["'`\n]/ : /["'`,;\s\]}<]/)
  const word = end === -1 ? value : value.slice(0, end)
  if (word === '' || isSwitch(word) || reference.test(value) || variable.test(word)) return false
  if (!isQuoted && (code.test(word) || nothing.test(word))) return false
  // In HTML, `accesskey` is a keyboard shortcut.
  if (/^accesskey$/i.test(name) && word.length === 1) return false
  // `auth` mostly names a method, so only values in the form that Docker writes count.
  return !/(?:^|_)auth$/i.test(name) || /\d|[a-z][A-Z]|=$/.test(word)
}

const longestName = 100
const longestValue = 400

const isNameChar = (char: string): boolean => /[\w.-]/.test(char)

/** The name that ends before a `:`, `=` or `>`, and where it begins. */
const nameBefore = (text: string, end: number): { readonly name: string; readonly from: number } => {
  const first = Math.max(0, end - longestName)
  let to = end
  while (to > first && /[ \t]/.test(text.charAt(to - 1))) to -= 1
  if (text.charAt(to - 1) === ']' && /["']/.test(text.charAt(to - 2))) to -= 1
  if (/["'`]/.test(text.charAt(to - 1))) to -= 1
  let from = to
  while (from > first && isNameChar(text.charAt(from - 1))) from -= 1
  return { name: text.slice(from, to), from }
}

/** Between a name and its value: blanks, the brackets of a list or map, and the dash of a list on the next line. */
const lead =
  /^[=>]?[ \t]{0,40}(?:\r?\n[ \t]{0,40}-[ \t]{1,9}|\r?\n[ \t]{0,40}(?=["'](?![\w.-]{1,100}["'][ \t]{0,9}:)))?(?:\[\s{0,80}|\{[ \t]{0,9}(?![{%]))?/

const valueAfter = (text: string, at: number): string => {
  const rest = text.slice(at, at + longestValue)
  const value = rest.slice(lead.exec(rest)?.[0].length)
  return /^#(?:\s|$)/.test(value) ? '' : value
}

/** Names of members that tell where a value is stored. */
const isReferenceName = (name: string): boolean =>
  /(?:file|path|from|ref|name|env|environment|external|driver|type|kind|description|required|enabled|length|min|max|pattern|label|title|bundle|certificate)$/i.test(
    name,
  )

/** Names of settings about tokens: how they are created, checked and used. */
const isSettingName = (name: string): boolean =>
  /expir|(?:realm|issuer|service|audience|algorithms?|alg|ttl|kid|host|port|endpoint|scopes?|size|mode|header|prefix|timeout|interval|lifetime|age|jwks)$/i.test(
    name,
  )

const isValueName = (name: string): boolean =>
  /(?:value|secret|key|password|passwd|pass|token|data|plain|text|content)$/i.test(name)

/** A duration, or an address with neither a query nor a long segment with digits, which may be a secret. */
const setting =
  /^["']?(?:(?:\d{1,9}(?:\.\d{1,9})?[ \t]?(?:[num]?s|[mhdwy]|(?:second|sec|minute|min|hour|day|week|month|year)s?)){1,4}|https?:\/\/[\w.-]{1,100}(?::\d{1,5})?(?:\/(?:[a-z_.~-]{0,60}|(?![\w.~-]{20})[a-z_.~-]{0,18}\d[\w.~-]{0,18})){0,9})["']?,?\s{0,9}$/i

/** Whether the member of a mapping with a secret name is itself secret. */
const isSecretMember = (name: string, value: string): boolean => {
  if (isReferenceName(name)) return false
  return (isValueName(name) || !(isSettingName(name) || setting.test(value))) && isSecretValue(name, value)
}

/** `{key: value, key: value}`. */
const membersAfter = (text: string, at: number): ReadonlyArray<RegExpMatchArray> => {
  const [, inner = ''] = /^\s{0,40}\{([^{}]{1,400})\}/.exec(text.slice(at, at + longestValue)) ?? []
  return [...inner.matchAll(/(?:^|,)\s{0,40}["']?([\w.-]{1,100})["']?\s{0,9}:\s{0,9}([^,]{1,200})/g)]
}

/** The default of a variable is a value as well. */
const defaultIn = (value: string): string => (/^[-+]/.test(value) ? value.slice(1) : '')

/** An element of XML, or the text of one that is named by an attribute. */
const isElement = (before: string): boolean => /[<:]$|(?:key|name)=["']$/.test(before)

const firstAssignment = (text: string): number | undefined => {
  for (const { 0: sign, index } of text.matchAll(/[:=>]/g)) {
    const { from, name } = nameBefore(text, index)
    if (name === '' || !(isSecretName(name) || /(?:^|_)auth$/i.test(name))) continue
    const before = text.slice(Math.max(0, from - 6), from)
    if (sign === '>' && !isElement(before)) continue
    const after = valueAfter(text, index + 1)
    const members = membersAfter(text, index + 1)
    if (members.length > 0) {
      if (members.some(([, key = '', value = '']) => isSecretMember(key, value))) return index
    } else if (isSecretValue(name, before.endsWith('${') ? defaultIn(after) : after)) return index
  }
  return undefined
}

/** `name: PASSWORD, value: x`, in YAML, JSON or XML. */
const pair =
  /\b(?:key|name)["']?\s{0,9}[=:]\s{0,9}["']?([\w.:-]{1,100})["']?[\s,]{1,40}["']?value["']?\s{0,9}[=:]\s{0,9}([^\s]{1,100})/gi
const address = /:\/\/[^\s/:@"']{0,100}:([^\s/@]{1,100})@/g
const quoted = /\b(?:password|identified by)\s{1,9}(['"][^'"]{1,100})/gi

const firstPattern = (text: string): number | undefined => {
  const pairs = [...text.matchAll(pair)].filter(([, name = '', value = '']) => {
    return isSecretName(name) && isSecretValue(name, value)
  })
  const others = [...text.matchAll(address), ...text.matchAll(quoted)].filter(([, value = '']) =>
    isSecretValue('', value),
  )
  return [...pairs, ...others].map(({ index }) => index).toSorted((a, b) => a - b)[0]
}

/** `requirepass x`, `set password x`, and the lines of a netrc. */
const isCommand = (line: string): boolean => {
  if (line.length < 'pw x'.length) return false
  const words = line
    .trim()
    .replace(/^- /, '')
    .split(/[ \t]+/, 40)
  const [first = ''] = words
  const place = words.findIndex((word) => isSecretName(word.replace(/^(?:\$|--?)/, '')))
  const [name = '', value = ''] = words.slice(place)
  if (place === -1 || !isSecretValue(name, value)) return false
  return (
    (place === 0 && words.length === 2 && !/[:=]$/.test(name)) ||
    /^(?:set|setenv|machine|default|login)$/i.test(first) ||
    name.startsWith('--')
  )
}

const firstCommand = (text: string): number | undefined => {
  let at = 0
  for (const line of text.split('\n')) {
    if (isCommand(line)) return at
    at += line.length + 1
  }
  return undefined
}

const mostLinesBelow = 20
const longestLine = 400

/** ` key: value`, also in JSON; bounded, so that it is linear. */
const member = /^[ \t]{1,80}["']?([\w.-]{1,100})["']?[ \t]{0,9}:[ \t]{0,9}(\S[^]{0,400})$/

const indentOf = (line: string): number => line.length - line.trimStart().length

/** A name with a mapping below it: its members are values of that name. */
const firstBelow = (text: string): number | undefined => {
  const lines = text.split('\n')
  let at = 0
  for (const [index, line] of lines.entries()) {
    const head =
      line.length < longestLine
        ? /^[ \t]{0,80}(?:- )?["']?([\w.-]{1,100})["']?[ \t]{0,9}:[ \t]{0,9}\{?\s{0,9}$/.exec(line)
        : null
    if (head !== null && isSecretName(head[1] ?? '') && !/s$/i.test(head[1] ?? '')) {
      const indent = indentOf(line)
      let first: number | undefined
      for (const below of lines.slice(index + 1, index + 1 + mostLinesBelow)) {
        if (below.trim() === '') continue
        const own = indentOf(below)
        if (own <= indent) break
        first ??= own
        const [, name = '', value = ''] = (below.length < longestLine ? member.exec(below) : null) ?? []
        // Mappings below that may hold settings of any kind.
        if (name !== '' && (own === first || isValueName(name)) && isSecretMember(name, value)) return at
      }
    }
    at += line.length + 1
  }
  return undefined
}

/** Decodes escapes of JSON and YAML in names, such as `\u0070assword`. */
const unescaped = (text: string): string =>
  text.includes('\\u') || text.includes('\\x')
    ? text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/g, (all: string, long?: string, short?: string) => {
        const char = Number.parseInt(long ?? short ?? '', 16)
        return char >= 32 && char < 127 ? String.fromCharCode(char) : all
      })
    : text

/** A key as JSON (RFC 7517) with its private part. */
const isPrivateJwk = (text: string): boolean => /"kty"\s{0,9}:/.test(text) && /"[dk]"\s{0,9}:\s{0,9}"/.test(text)

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** Examples in comments are not secret; line numbers stay the same. */
const withoutComments = (text: string): string =>
  text
    .split('\n')
    .map((line) => (/^(?:#|;|\/\/)/.test(line.trimStart()) ? '' : line))
    .join('\n')

/** The kind of secret in a text; `undefined` if there is none. */
export const secretIn = (written: string): string | undefined => {
  const text = unescaped(written)
  if (privateKey.test(text) || isPrivateJwk(text)) return 'a private key'
  const settings = withoutComments(text)
  const [first] = [firstAssignment(settings), firstPattern(settings), firstBelow(settings), firstCommand(settings)]
    .filter((at) => at !== undefined)
    .toSorted((a, b) => a - b)
  if (first !== undefined) return `a credential in line ${lineOf(settings, first)}`
  const at = text.search(token)
  return at === -1 ? undefined : `a credential in line ${lineOf(text, at)}`
}
