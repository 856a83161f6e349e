/** What git ignores (gitignore(5)). Paths are relative, clean and with forward slashes. */
import * as E from 'fp-ts/lib/Either.js'
import { leftsOf } from '../object/lefts.ts'
import { fitsSteps, type PatternStep, stepsOf } from './pattern-program.ts'

export type GitRule = {
  readonly steps: ReadonlyArray<PatternStep>
  readonly isNegated: boolean
  readonly isForFolders: boolean
}

/**
 * The rules of one file; `folder`: the folder that it is in, '' for the top. `unread`: lines that are not understood.
 */
export type GitRules = {
  readonly folder: string
  readonly rules: ReadonlyArray<GitRule>
  readonly unread: ReadonlyArray<string>
}

/** Removes trailing white space, unless a backslash escapes it. */
const withoutEnd = (line: string): string => {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1
  return line.slice(0, end)
}

const classes: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e',
  space: '\\x09-\\x0d\\x20',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
}

/** Rewrites escapes as classes of one character, and named classes as their characters. */
const plain = (pattern: string): string =>
  pattern
    .replaceAll('[!', '[^')
    .replaceAll(/\\([A-Za-z0-9])|\\[^]|\[:([a-z]{1,9}):\]/g, (all: string, letter?: string, name?: string) => {
      return letter ?? (name === undefined ? all : (classes[name] ?? all))
    })

/** Undefined: a comment, or an empty line. Left: the line is not understood. */
export const gitRuleOf = (line: string): E.Either<string, GitRule | undefined> => {
  const text = withoutEnd(line)
  if (text === '' || text.startsWith('#')) return E.right(undefined)
  const isNegated = text.startsWith('!')
  const written = isNegated ? text.slice(1) : text
  const isForFolders = written.endsWith('/')
  const path = isForFolders ? written.slice(0, -1) : written
  const anchored = path.startsWith('/') ? path.slice(1) : path
  const steps = written.endsWith('\\') ? undefined : stepsOf(plain(path.includes('/') ? anchored : `**/${anchored}`))
  return steps === undefined ? E.left(text) : E.right({ steps, isNegated, isForFolders })
}

export const readGitRules = (folder: string, text: string): GitRules => {
  const read = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => gitRuleOf(line.endsWith('\r') ? line.slice(0, -1) : line))
  return {
    folder,
    rules: read.flatMap((rule) => (E.isRight(rule) && rule.right !== undefined ? [rule.right] : [])),
    unread: leftsOf(read),
  }
}

const below = (folder: string, path: string): string | undefined => {
  if (folder === '') return path
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined
}

const verdict = (lists: ReadonlyArray<GitRules>, path: string, isFolder: boolean): boolean => {
  let isIgnored = false
  for (const { folder, rules } of lists) {
    const own = below(folder, path)
    if (own === undefined) continue
    for (const { isForFolders, isNegated, steps } of rules) {
      if ((isFolder || !isForFolders) && isIgnored === isNegated && fitsSteps(steps, own)) isIgnored = !isNegated
    }
  }
  return isIgnored
}

/** `lists`: from the top down. What is in an ignored folder is ignored, whatever later rules say. */
export const isGitIgnored = (lists: ReadonlyArray<GitRules>, path: string, isFolder: boolean): boolean => {
  const parts = path.split('/')
  return parts.some((_, index) => {
    const isLast = index === parts.length - 1
    return verdict(lists, parts.slice(0, index + 1).join('/'), isLast ? isFolder : true)
  })
}
