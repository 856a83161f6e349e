/** A program that a keeper holds, as the SSH server sees it. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { frameOf, frameReader } from '../../../src/adapters/ssh/frames.ts'
import { attachTo, keptOn } from '../../../src/agent/kept.ts'

const folder = mkdtempSync(join(tmpdir(), 'devtool-kept-'))
const keepers = { node: '', program: '', pty: '', folder }
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('the exit of a program is known only when all its output has been read', async () => {
  const output = Buffer.alloc(200_000, 'x')
  const whole = [
    frameOf('from', '{"output":0,"errors":0,"taken":0}'),
    frameOf('output', output),
    frameOf('errors', 'one more'),
    frameOf('exit', '{"code":3}'),
  ]
  const server = createServer((socket) => socket.once('data', () => void socket.end(Buffer.concat(whole))))
  await new Promise<void>((resolve) => {
    server.listen(join(folder, 'program.sock'), resolve)
  })
  const kept = keptOn(await attachTo(keepers, 'program'))
  let told: unknown
  void kept.exit.then((exit) => {
    told = exit
    return exit
  })
  // All of it has arrived, and nobody reads.
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  assert.is(told, undefined)
  assert.is((await buffer(kept.stdout)).length, output.length)
  assert.is(told, undefined)
  assert.is(String(await buffer(kept.stderr)), 'one more')
  assert.equal(await kept.exit, { code: 3 })
})

test('that a client has left is read, also while nobody reads the output of the program', async () => {
  const server = createServer().listen(join(folder, 'left.sock'))
  const [kept, keeper] = await Promise.all([
    attachTo(keepers, 'left').then(keptOn),
    once(server, 'connection').then(([socket]: ReadonlyArray<Socket>) => socket),
  ])
  server.close()
  keeper?.on('error', () => {}).write(frameOf('output', Buffer.alloc(4_000_000, 'x')))
  kept.close()
  kept.stdin.end()
  // The keeper reads only after everything has happened here.
  await sleep(100)
  const read = keeper === undefined ? undefined : frameReader()(await buffer(keeper))
  assert.equal(
    read?.map(({ kind }) => kind),
    ['attach', 'close'],
  )
})

test.run()
