/**
 * `npm run mutants [part of a path...]`: makes each change of scripts/mutants in a copy of the tree, and runs the
 * nearest tests. A change that no test notices has survived. Status 1 when more than 5 % survive, or any of those of
 * synchronisation.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './command.ts'
import { mistakeIn, mutants } from './mutants/list.ts'
import type { Mutant } from './mutants/mutant.ts'
import { runTests } from './test-processes.ts'

/** `hung`: detected, but only because a test file did not end. */
type Fate = 'killed' | 'hung' | 'survived'

const atOnce = 2
const limitSeconds = 300
/** A test that takes this many times longer than before counts as hung. */
const patience = 10
const shortestLimitSeconds = 60
const lingerSeconds = 5
const mostSurvivors = 0.05
const copied = ['src', 'test', 'scripts', 'docs', 'examples', 'package.json', 'tsconfig.json', 'CHANGELOG.md']

/** They lose files of users: none may survive. */
const isOfSync = (file: string): boolean => file.includes('/sync/') || file.includes('/sync-')

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

const copyTree = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-mutants-'))
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** How long each test takes without a change. */
const soundSeconds = new Map<string, number>()

const limitOf = (test: string): number => {
  const seconds = soundSeconds.get(test)
  return seconds === undefined
    ? limitSeconds
    : Math.min(limitSeconds, Math.max(shortestLimitSeconds, seconds * patience))
}

type Outcome = { readonly fate: Fate; readonly seconds: number }

const outcomeOf = async (folder: string, test: string): Promise<Outcome> => {
  const limit = limitOf(test)
  const [run] = await runTests([test], { jobs: 1, cwd: folder, limitSeconds: limit, lingerSeconds })
  const seconds = run?.seconds ?? 0
  if (run === undefined || run.tally.failed === 0) return { fate: 'survived', seconds }
  return { fate: run.tally.failed === 1 && seconds >= limit ? 'hung' : 'killed', seconds }
}

/** A test may fail once under load. */
const isSound = async (folder: string, test: string): Promise<boolean> => {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { fate, seconds } = await outcomeOf(folder, test)
    if (fate !== 'survived') continue
    soundSeconds.set(test, seconds)
    return true
  }
  return false
}

const fateOf = async (folder: string, { file, old, new: replacement, tests }: Mutant): Promise<Fate> => {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(old, () => replacement),
  )
  try {
    for (const test of tests) {
      const { fate } = await outcomeOf(folder, test)
      if (fate !== 'survived') return fate
    }
    return 'survived'
  } finally {
    writeFileSync(path, text)
  }
}

/** Each worker has a copy of the tree, since the changes of two must not mix. */
const forEach = async <A>(items: ReadonlyArray<A>, run: (folder: string, item: A) => Promise<void>): Promise<void> => {
  const queue = items.values()
  const work = async (): Promise<void> => {
    const folder = copyTree()
    try {
      for (const item of queue) await run(folder, item)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

const chosen = process.argv.slice(2)
const selected = mutants.filter(({ file }) => chosen.length === 0 || chosen.some((part) => file.includes(part)))
const mistakes = selected.flatMap((mutant) => mistakeIn(mutant) ?? [])
const broken: Array<string> = []
const survivors: Array<Mutant> = []

if (mistakes.length === 0) {
  await forEach([...new Set(selected.flatMap(({ tests }) => tests))], async (folder, test) => {
    if (!(await isSound(folder, test))) broken.push(`${test} fails without any change`)
  })
}
if (mistakes.length === 0 && broken.length === 0) {
  await forEach(selected, async (folder, mutant) => {
    const started = performance.now()
    const fate = await fateOf(folder, mutant)
    const seconds = Math.round((performance.now() - started) / 1_000)
    if (fate === 'survived') survivors.push(mutant)
    say(`${fate.padEnd(8)} ${String(seconds).padStart(4)} s  ${mutant.file}: ${mutant.new.trim().split('\n')[0]}`)
  })
  say('')
  for (const { file, old, new: replacement, tests } of survivors) {
    say(`survived  ${file}\n  - ${old}\n  + ${replacement}\n  ${tests.join(' ')}`)
  }
  say(`${selected.length} changes, ${survivors.length} survived`)
}
for (const mistake of [...mistakes, ...broken]) say(mistake)
const isAllowed = survivors.length <= selected.length * mostSurvivors && !survivors.some(({ file }) => isOfSync(file))
const isGood = mistakes.length + broken.length === 0 && isAllowed
process.exitCode = isGood ? 0 : 1
