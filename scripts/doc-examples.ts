/**
 * Runs the `@example` block of every doc comment below src/ as a module of its own, and counts the blocks. A block
 * imports what it shows as a file in test/ would (`../src/...`), has `assert` in scope, and may use await.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { add, none, one, showTally, type Tally } from './tally.ts'

type Example = { readonly file: string; readonly line: number; readonly code: string }

const folder = '.cache/examples'
const block = /^[ \t]*\* @example[^\n]*\n((?:[ \t]*\*(?!\/)(?![ \t]*@)[^\n]*\n)+)/gm

const examplesOf = (file: string): ReadonlyArray<Example> => {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(block)].map(({ 1: body = '', index }) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    code: body.replaceAll(/^[ \t]*\* ?/gm, '').replaceAll(/(['"])\.\.\/src\//g, '$1../../src/'),
  }))
}

const run = async ({ code, file, line }: Example, index: number): Promise<Tally> => {
  const path = join(folder, `${index + 1}.ts`)
  writeFileSync(path, `import * as assert from 'node:assert/strict'\n${code}`)
  try {
    await import(pathToFileURL(path).href)
    return one(true)
  } catch (cause) {
    process.stdout.write(`FAIL  ${file}:${line}\n${cause instanceof Error ? cause.stack : String(cause)}\n`)
    return one(false)
  }
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const examples = files.toSorted().flatMap((file) => examplesOf(join('src', file)))
let tally = none
for (const [index, example] of examples.entries()) tally = add(tally, await run(example, index))
process.stdout.write(`${showTally(tally)}\n`)
process.exitCode = tally.failed === 0 ? 0 : 1
