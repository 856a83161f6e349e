/**
 * Which files of a folder are not synchronised, according to `.devtoolignore` (as gitignore(5)) or else `.stignore` (as
 * Syncthing). Both ends decide by the same texts.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { fromJson } from '../object/codecs.ts'
import type { SyncMode } from '../sync/act.ts'
import { type GitRule, gitRuleOf } from './gitignore.ts'
import { cleanPath, ignorePatterns } from './ignore.ts'
import { fitsSteps } from './pattern-program.ts'
import { type StRule, stRulesOf } from './stignore.ts'

/** `file`: 'default' for rules that apply without a file. */
type IgnoreSource = { readonly file: string; readonly line: number; readonly pattern: string }

type SyncRule = (GitRule | StRule) & { readonly source: IgnoreSource; readonly folder: string }

/** Last: the last matching rule decides, and an ignored folder has no exceptions. */
type RuleList = { readonly decides: 'First' | 'Last'; readonly rules: ReadonlyArray<SyncRule | RuleList> }

/** A line that has no effect. */
type IgnoreTrouble = {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly reason: 'Pattern' | 'NoFile' | 'TooManyFiles'
}

/**
 * `text`: the rules for the other end. `file`: undefined when there is none. `defaults`: patterns that apply because no
 * file overrides them. `others`: paths that are mounts or otherwise different at one end, which are always ignored.
 */
export type SyncRules = {
  readonly text: string
  readonly file: string | undefined
  readonly defaults: ReadonlyArray<string>
  readonly troubles: ReadonlyArray<IgnoreTrouble>
  readonly list: RuleList
  readonly others: ReadonlySet<string>
}

const ignoreFiles = ['.devtoolignore', '.stignore'] as const

/** Folders that programs fill with files for one kind of machine. */
const dependencyFolders = [
  'node_modules/',
  '.venv/',
  '__pycache__/',
  '.pytest_cache/',
  '.mypy_cache/',
  '.tox/',
  '.gradle/',
  '.terraform/',
]

const mostFiles = 16

/** The `file` of a rule for a path where something else is mounted in the container. */
export const mountedThere = 'mount'

/** No file has this name: an agent that does not know this source ignores it. */
const othersFile = ''

type Reading = {
  readonly read: (file: string) => string | undefined
  readonly texts: Map<string, string>
  readonly troubles: Array<IgnoreTrouble>
}

/** The path below the synchronised folder. */
const included = (folder: string, name: string): string | undefined => {
  const path = cleanPath(folder === '' ? name : `${folder}/${name}`)
  return name === '' || name.startsWith('/') || path === '..' || path.startsWith('../') ? undefined : path
}

const folderOf = (file: string): string => file.slice(0, Math.max(0, file.lastIndexOf('/')))

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

const textOf = ({ read, texts }: Reading, file: string): string | undefined => {
  const text = texts.get(file) ?? read(file)
  if (text !== undefined) texts.set(file, text)
  return text
}

const gitRules = (text: string, source: IgnoreSource, folder: string): E.Either<string, ReadonlyArray<SyncRule>> => {
  return pipe(
    gitRuleOf(text),
    E.map((rule) => (rule === undefined ? [] : [{ ...rule, source, folder }])),
  )
}

const stRules = (text: string, source: IgnoreSource, folder: string): E.Either<string, ReadonlyArray<SyncRule>> => {
  const line = text.trim()
  if (line === '' || line.startsWith('//')) return E.right([])
  return pipe(
    stRulesOf(line),
    E.map((found) => found.map((rule) => ({ ...rule, source, folder }))),
  )
}

/** Patterns of a .dockerignore file, in the syntax of gitignore(5). */
const dockerLines = (text: string): ReadonlyArray<string> =>
  ignorePatterns(text).map((one) => (one.startsWith('!') ? `!/${one.slice(1)}` : `/${one}`))

const listOf = (reading: Reading, file: string, text: string, isSt: boolean): RuleList => {
  const folder = folderOf(file)
  const lines = nameOf(file) === '.dockerignore' ? dockerLines(text) : text.replace(/^\ufeff/, '').split('\n')
  const rules: Array<SyncRule | RuleList> = []
  for (const [index, raw] of lines.entries()) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const source: IgnoreSource = { file, line: index + 1, pattern: line.trim() }
    const trouble = (reason: IgnoreTrouble['reason']): void => {
      reading.troubles.push({ file, line: index + 1, text: line, reason })
    }
    const [, name] = /^#include[ \t]([^\n]*)$/.exec(line) ?? []
    if (name !== undefined) {
      const path = included(folder, name.trim())
      const more = path === undefined || reading.texts.has(path) ? undefined : textOf(reading, path)
      if (reading.texts.size > mostFiles) trouble('TooManyFiles')
      else if (path === undefined || more === undefined) trouble('NoFile')
      else rules.push(listOf(reading, path, more, isSt && !/^\.(?:git|docker)ignore$/.test(nameOf(path))))
      continue
    }
    const found = isSt ? stRules(line, source, folder) : gitRules(line, source, folder)
    if (E.isRight(found)) for (const rule of found.right) rules.push(rule)
    else trouble('Pattern')
  }
  return { decides: isSt ? 'First' : 'Last', rules }
}

/** `read`: the text of a file of the folder; undefined when there is none. */
export const syncRulesOf = (
  read: (file: string) => string | undefined,
  others: ReadonlyArray<string> = [],
): SyncRules => {
  const reading: Reading = { read, texts: new Map(), troubles: [] }
  const file = ignoreFiles.find((one) => textOf(reading, one) !== undefined)
  const defaults = file === undefined ? dependencyFolders : []
  const text = file === undefined ? defaults.join('\n') : (reading.texts.get(file) ?? '')
  const list = listOf(reading, file ?? 'default', text, file === '.stignore')
  const all: ReadonlyArray<readonly [string, string]> = [...reading.texts, [othersFile, JSON.stringify(others)]]
  return { text: JSON.stringify(all), file, defaults, troubles: reading.troubles, list, others: new Set(others) }
}

const RuleTexts = t.readonlyArray(t.readonly(t.tuple([t.string, t.string])))
const Paths = t.readonlyArray(t.string)

/** At the other end, from the `text` of the rules; `undefined` when it is invalid. */
export const syncRulesFrom = (text: string): SyncRules | undefined => {
  const known = text === '' ? [] : fromJson(RuleTexts, text)
  const texts = new Map(known)
  const others = fromJson(Paths, texts.get(othersFile) ?? '[]')
  return known && others && syncRulesOf((file) => texts.get(file), others)
}

const isList = (rule: SyncRule | RuleList): rule is RuleList => 'rules' in rule

const fits = (rule: SyncRule, path: string, isFolder: boolean): boolean => {
  const own =
    rule.folder === '' ? path : path.startsWith(`${rule.folder}/`) ? path.slice(rule.folder.length + 1) : undefined
  if (own === undefined) return false
  if ('isForFolders' in rule) return (isFolder || !rule.isForFolders) && fitsSteps(rule.steps, own)
  return fitsSteps(rule.steps, rule.isFolded ? own.toLowerCase() : own)
}

/** The rule that decides about a path, regardless of the folders above it. */
const deciding = ({ decides, rules }: RuleList, path: string, isFolder: boolean): SyncRule | undefined => {
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[decides === 'First' ? index : rules.length - 1 - index]
    if (rule === undefined) continue
    const found = isList(rule) ? deciding(rule, path, isFolder) : fits(rule, path, isFolder) ? rule : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a rule before `by` may keep something in a folder that `by` ignores; only Syncthing's rules can. */
const mayKeepIn = ({ rules }: RuleList, folder: string, by: SyncRule): boolean => {
  for (const rule of rules) {
    if (rule === by) return false
    if (isList(rule) || !rule.isNegated || 'isForFolders' in rule) continue
    const { prefix } = rule
    if (prefix === undefined || prefix.startsWith(`${folder}/`) || folder === prefix || folder.startsWith(`${prefix}/`))
      return true
  }
  return false
}

export type PathDecision = {
  readonly isIgnored: boolean
  /** The ignored folder that contains the path. */
  readonly folder?: string
  readonly rule?: IgnoreSource
}

const gitFolder: IgnoreSource = { file: 'default', line: 1, pattern: '.git' }

/** Matches `.git` as file systems do that ignore case and invisible characters, or have short names. */
const isGitName = (name: string): boolean =>
  /^(?:\.git|git~1)$/i.test(name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ''))

/** Only a rule that names `.git` enables it: an exception such as `!.*` means other files. */
const isGitOn = (rule: SyncRule | undefined): boolean =>
  rule?.isNegated === true && /(?:^!|\/)\.git\/?$/.test(rule.source.pattern)

type Deciding = Pick<SyncRules, 'list' | 'others'>

const decisionAt = ({ list, others }: Deciding, path: string, isFolder: boolean): PathDecision => {
  if (others.has(path)) return { isIgnored: true, rule: { file: mountedThere, line: 1, pattern: path } }
  const rule = deciding(list, path, isFolder)
  const isIgnored = rule?.isNegated === false
  const isGit = isGitName(nameOf(path))
  if (isGit && !isIgnored && !isGitOn(rule)) return { isIgnored: true, rule: gitFolder }
  if (rule === undefined) return { isIgnored }
  return { isIgnored: isIgnored && !(isFolder && !isGit && mayKeepIn(list, path, rule)), rule: rule.source }
}

/** Which rule decides about a path, itself or by a folder above. */
export const explainPath = (rules: SyncRules, path: string, isFolder: boolean): PathDecision => {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at)
    const above = decisionAt(rules, folder, true)
    if (above.isIgnored) return { ...above, folder }
  }
  return decisionAt(rules, path, isFolder)
}

const mostRemembered = 10_000

/** Remembers folders, which decide about everything in them. */
export const ignoredBy = (rules: SyncRules): ((path: string, isFolder: boolean) => boolean) => {
  const folders = new Map<string, boolean>()
  const isFolderIgnored = (folder: string): boolean => {
    if (folder === '') return false
    const known = folders.get(folder)
    if (known !== undefined) return known
    const found = isFolderIgnored(folderOf(folder)) || decisionAt(rules, folder, true).isIgnored
    if (folders.size >= mostRemembered) folders.clear()
    folders.set(folder, found)
    return found
  }
  return (path, isFolder) =>
    isFolder ? isFolderIgnored(path) : isFolderIgnored(folderOf(path)) || decisionAt(rules, path, false).isIgnored
}

/** Files in `.git` are never taken over from a container, whatever the mode of their folder. */
export const modeIn =
  (mode: SyncMode = 'two-way') =>
  (path: string): SyncMode =>
    path.split('/').some(isGitName) ? 'push' : mode
