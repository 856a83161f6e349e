/**
 * Splits a command line into words as compose-go does: quotes and backslash as in a POSIX shell, no expansion.
 * Operators have no meaning without a shell, so they stay in their word and are reported for a warning.
 */
import * as E from 'fp-ts/lib/Either.js'
import { type Fault, fail } from './fault.ts'

export type ShellWords = { readonly words: ReadonlyArray<string>; readonly operators: ReadonlyArray<string> }

export const readWords = (text: string): E.Either<Fault, ShellWords> => {
  const words: Array<string> = []
  const operators = new Set<string>()
  let word: string | undefined
  let at = 0
  while (at < text.length) {
    const char = text.charAt(at)
    if (char === "'" || char === '"') {
      const quoted = readQuoted(text, at)
      if (quoted === undefined) return fail(`the quote ${char} is not closed`, at, text.length)
      word = (word ?? '') + quoted.body
      at = quoted.next
    } else if (char === '\\') {
      if (at + 1 === text.length) return fail('nothing follows the backslash', at, text.length)
      const next = text.charAt(at + 1)
      if (next !== '\n') word = (word ?? '') + next
      at += 2
    } else if (char === ' ' || char === '\t' || char === '\n' || char === '\r') {
      if (word !== undefined) words.push(word)
      word = undefined
      at += 1
    } else {
      if (';&|<>'.includes(char)) operators.add(char)
      word = (word ?? '') + char
      at += 1
    }
  }
  if (word !== undefined) words.push(word)
  return E.right({ words, operators: [...operators] })
}

type Quoted = { readonly body: string; readonly next: number }

const readQuoted = (text: string, open: number): Quoted | undefined => {
  const mark = text[open]
  if (mark === "'") {
    const close = text.indexOf("'", open + 1)
    return close === -1 ? undefined : { body: text.slice(open + 1, close), next: close + 1 }
  }
  let body = ''
  for (let at = open + 1; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === mark) return { body, next: at + 1 }
    const next = text.charAt(at + 1)
    const isEscape = char === '\\' && next !== '' && '$`"\\\n'.includes(next)
    if (!isEscape) body += char
    else if (next !== '\n') body += next
    if (isEscape) at += 1
  }
  return undefined
}
