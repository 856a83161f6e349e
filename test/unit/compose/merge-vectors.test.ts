/** What two places say of one field is read as it was when compose-go agreed: see test/vectors/README.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergedFiles, readingsOf } from '../../support/compose/merged-field.ts'
import { translateFiles } from '../../support/compose/project.ts'

const file = join(import.meta.dirname, '../../vectors/merges.jsonl')
const row = t.tuple([t.string, t.string, t.string, t.string, t.unknown])

test('a field in two files, or of a service that extends another, is read as Compose merges it', () => {
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const read = row.decode(JSON.parse(line))
    assert.ok(E.isRight(read), line)
    const [how, field, base, over, expected] = read.right
    const translation = translateFiles(...mergedFiles(how, field, base, over))
    const mistakes = translation.findings.filter(({ severity }) => severity === 'error')
    assert.equal(mistakes, [], line)
    const service = translation.services?.find(({ name }) => name === 'a')
    assert.ok(service, line)
    assert.equal(JSON.parse(JSON.stringify(readingsOf(field, service))), expected, line)
  }
})

test.run()
