/** Errors that merely follow from others are not told. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { translateFiles } from '../../support/compose/project.ts'

const codes = (fields: string): ReadonlyArray<string> =>
  translateFiles({ 'compose.yaml': `services: {web: {${fields}}}\n` })
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ code }) => code)

test('each text with a wrong or missing variable is one error, also if a line has several', () => {
  assert.equal(codes('image: "${A:?}", restart: "${B:?}", mem_limit: "${C:?}"'), ['DT1010', 'DT1010', 'DT1010'])
  assert.equal(codes('image: "${A B}", restart: "${A", mem_limit: "${}"'), ['DT1009', 'DT1009', 'DT1009'])
})

test('another mistake in that line is told', () => {
  assert.equal(codes('image: "${A:?}", restart: maybe, mem_limit: "${C:?}"'), ['DT1010', 'DT1018', 'DT1010'])
})

test.run()
