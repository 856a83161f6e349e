/** What `.devtoolignore` leaves out is what git leaves out by the same text, `.git` apart. */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ignoredBy, syncRulesOf } from '../../src/domain/ignore/sync-rules.ts'

const names = ['a', 'b.log', '.x', 'Ab']
const folders = names.flatMap((one) => [one, ...names.map((two) => `${one}/${two}`)])
const files = folders.flatMap((folder) => names.map((name) => `${folder}/${name}.f`))

const root = fs.mkdtempSync(join(tmpdir(), 'git-rules-'))
const git = (args: ReadonlyArray<string>, input: string): string => {
  try {
    return execFileSync('git', args, { cwd: root, input, encoding: 'utf8', stdio: 'pipe' })
  } catch (cause) {
    // Status 1: nothing is ignored.
    if (cause instanceof Error && 'status' in cause && cause.status === 1) return ''
    throw cause
  }
}

const part = fc.constantFrom(
  'a',
  'b.log',
  '.x',
  'Ab',
  '*',
  '**',
  '?',
  '*.log',
  '[a-c]',
  '[!a]*',
  'A*',
  '*.f',
  'a.f',
  '\\a',
)
const pattern = fc
  .record({
    start: fc.constantFrom('', '', '/', '!', '!/', '**/'),
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('', '', '/', '/**', '/*', ' '),
  })
  .map(({ end, parts, start }) => `${start}${parts.join('/')}${end}`)

test.before(() => {
  git(['init', '-q'], '')
  for (const folder of folders) fs.mkdirSync(join(root, folder), { recursive: true })
  for (const file of files) fs.writeFileSync(join(root, file), '')
})
test.after(() => fs.rmSync(root, { recursive: true }))

test('git leaves out the same files', () => {
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 6 }), (lines) => {
      const text = lines.join('\n')
      fs.writeFileSync(join(root, '.gitignore'), text)
      const ignored = new Set(git(['check-ignore', '--no-index', '--stdin'], files.join('\n')).split('\n'))
      const isIgnored = ignoredBy(syncRulesOf((file) => (file === '.devtoolignore' ? text : undefined)))
      for (const file of files)
        assert.is(isIgnored(file, false), ignored.has(file), `${file} with ${JSON.stringify(text)}`)
    }),
    { numRuns: 150 },
  )
})

test.run()
