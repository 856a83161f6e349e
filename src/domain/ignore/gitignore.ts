/** What git ignores (gitignore(5)). Paths are relative, clean and with forward slashes. */
import { fitsSteps, type PatternStep, stepsOf } from './pattern-program.ts'

type GitRule = {
  readonly steps: ReadonlyArray<PatternStep>
  readonly isNegated: boolean
  readonly isForFolders: boolean
}

/** The rules of one file; `folder`: where it stands, '' for the top. */
export type GitRules = { readonly folder: string; readonly rules: ReadonlyArray<GitRule> }

/** Blanks at the end count only behind a backslash. */
const withoutEnd = (line: string): string => {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1
  return line.slice(0, end)
}

const ruleOf = (line: string): ReadonlyArray<GitRule> => {
  const text = withoutEnd(line)
  if (text === '' || text.startsWith('#')) return []
  const isNegated = text.startsWith('!')
  const written = isNegated ? text.slice(1) : text
  const isForFolders = written.endsWith('/')
  const path = isForFolders ? written.slice(0, -1) : written
  const anchored = path.startsWith('/') ? path.slice(1) : path
  const pattern = (path.includes('/') ? anchored : `**/${anchored}`).replaceAll('[!', '[^')
  const steps = stepsOf(pattern)
  return steps === undefined ? [] : [{ steps, isNegated, isForFolders }]
}

/** A pattern that git cannot read counts for nothing. */
export const readGitRules = (folder: string, text: string): GitRules => ({
  folder,
  rules: text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line) => ruleOf(line.endsWith('\r') ? line.slice(0, -1) : line)),
})

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
