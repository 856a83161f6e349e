/** When the agent collects its garbage. */
import { PassThrough } from 'node:stream'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { collecting, passed } from '../../../src/agent/collect.ts'

const mebibyte = 1024 * 1024
let collected: Array<string> = []
const { gc } = globalThis

test.before.each(() => {
  collected = []
  globalThis.gc = Object.assign((options?: { readonly type?: string }) => {
    collected.push(options?.type ?? 'all')
  })
})

test.after(() => {
  globalThis.gc = gc
})

test('young buffers are collected after every two mebibytes', () => {
  for (let piece = 0; piece < 8; piece += 1) passed(mebibyte / 2)
  assert.equal(collected, ['minor', 'minor'])
})

test('what is written and what is read counts', async () => {
  const connection = collecting(new PassThrough())
  connection.write(Buffer.alloc(mebibyte))
  await new Promise(setImmediate)
  assert.equal(collected, ['minor'])
})

test.run()
