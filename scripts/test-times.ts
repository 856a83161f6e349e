/** Remembers how long each test file took, so that the longest is started first. Stored with other caches. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root } from './command.ts'

const path = join(root, '.cache/test-seconds.json')

type Seconds = Readonly<Record<string, number>>

const readSeconds = (): Seconds => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

/** In a fresh clone there are no times yet: one of these that begins last would run alone. */
const knownAsLong = /\/(?:bombs|flags|translate|hostile|test-runner|codes|dev-[^/]*|platform-[^/]*)\.test\.ts$/

/** Files without a time come first. */
export const longestFirst = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seconds = readSeconds()
  const secondsOf = (file: string): number => seconds[file] ?? (knownAsLong.test(file) ? 7_200 : 3_600)
  return files.toSorted((a, b) => secondsOf(b) - secondsOf(a))
}

export const keepSeconds = (measured: Seconds): void => {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  const all = Object.entries({ ...readSeconds(), ...measured }).filter(([file]) => existsSync(resolve(root, file)))
  writeFileSync(temporary, JSON.stringify(Object.fromEntries(all), null, 2))
  renameSync(temporary, path)
}
