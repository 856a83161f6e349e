/** Goldens of what commands print on a real cluster. `UPDATE_GOLDENS=1` writes them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'

export const isUpdate = process.env['UPDATE_GOLDENS'] !== undefined

/** `name`: its path below `golden`, without the extension. */
export const goldenOf = (name: string): string => new URL(`../../golden/${name}.txt`, import.meta.url).pathname

export const keptIn = (golden: string): string => (existsSync(golden) ? readFileSync(golden, 'utf8') : '')

export const assertKept = (name: string, text: string): void => {
  const golden = goldenOf(name)
  if (isUpdate) writeFileSync(golden, text)
  assert.fixture(text, keptIn(golden))
}
