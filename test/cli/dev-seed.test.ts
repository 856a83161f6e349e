/** The first files of a development container, over a session with the agent as it is built. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tarSeeds } from '../../src/adapters/sync/tar.ts'
import { seed } from '../../src/app/dev/seed.ts'
import { type AgentWorld, type Started, withStartedAgent } from '../support/agent.ts'
import { sessionWith } from '../support/dev-session.ts'

type Folders = { base: string; local: string; remote: string }

const test = suite<AgentWorld & Folders>('seed')
withStartedAgent(test)

test.before.each((context) => {
  context.base = mkdtempSync(join(tmpdir(), 'seed-'))
  context.local = join(context.base, 'local')
  context.remote = join(context.base, 'remote')
  mkdirSync(context.local)
})
test.after.each(({ base }) => rmSync(base, { recursive: true, force: true }))

const seeded = async (started: Started, { local, remote }: Folders) => {
  const { session } = sessionWith(started)
  const result = await seed({ seeds: tarSeeds }, started.folder)(session, { local, remote })()
  session.end({ _tag: 'Closed', reason: 'done' })
  return result
}

test('files arrive with their contents, modes and times, folders and links as they are', async (context) => {
  const { local, remote, started } = context
  mkdirSync(join(local, 'a/empty'), { recursive: true })
  const long = `${'n'.repeat(120)}/${'ü'.repeat(60)}`
  mkdirSync(join(local, 'n'.repeat(120)))
  writeFileSync(join(local, long), 'long')
  writeFileSync(join(local, 'a/run.sh'), '#!/bin/sh\n')
  chmodSync(join(local, 'a/run.sh'), 0o750)
  utimesSync(join(local, 'a/run.sh'), 1_700_000_000, 1_700_000_000)
  writeFileSync(join(local, 'none'), '')
  writeFileSync(join(local, 'large'), Buffer.alloc(3_000_000, 'x'))
  symlinkSync('a/run.sh', join(local, 'link'))
  assert.equal(await seeded(started, context), E.right({ files: 5, bytes: 3_000_014, left: [] }))
  assert.equal(readdirSync(remote), readdirSync(local))
  assert.is(readFileSync(join(remote, long), 'utf8'), 'long')
  assert.is(readFileSync(join(remote, 'large')).length, 3_000_000)
  assert.is(lstatSync(join(remote, 'a/run.sh')).mode & 0o777, 0o750)
  assert.is(lstatSync(join(remote, 'a/run.sh')).mtimeMs, 1_700_000_000_000)
  assert.is(readlinkSync(join(remote, 'link')), 'a/run.sh')
  assert.equal(readdirSync(join(remote, 'a/empty')), [])
})

test('what .stignore ignores stays here', async (context) => {
  const { local, remote, started } = context
  mkdirSync(join(local, 'node_modules/x'), { recursive: true })
  for (const name of ['node_modules/x/y', 'a.log', 'b']) writeFileSync(join(local, name), name)
  writeFileSync(join(local, '.stignore'), 'node_modules\n*.log\n')
  assert.ok(E.isRight(await seeded(started, context)))
  assert.equal(readdirSync(remote), ['.stignore', 'b'])
})

test('a link in the container is not followed, but what is behind it is left, and said', async (context) => {
  const { base, local, remote, started } = context
  const outside = join(base, 'outside')
  for (const folder of [outside, remote, join(local, 'out')]) mkdirSync(folder)
  symlinkSync(outside, join(remote, 'out'))
  writeFileSync(join(local, 'out/evil'), 'x')
  writeFileSync(join(local, 'good'), 'x')
  const result = await seeded(started, context)
  assert.ok(E.isRight(result))
  assert.equal(
    result.right.left.map((one) => one.split(':')[0]),
    ['out', 'out/evil'],
  )
  assert.equal(readdirSync(outside), [])
  assert.is(readFileSync(join(remote, 'good'), 'utf8'), 'x')
})

test('files that are there are replaced, and others kept', async (context) => {
  const { local, remote, started } = context
  mkdirSync(remote)
  writeFileSync(join(remote, 'same'), 'old')
  writeFileSync(join(remote, 'other'), 'kept')
  writeFileSync(join(local, 'same'), 'new')
  assert.ok(E.isRight(await seeded(started, context)))
  assert.is(readFileSync(join(remote, 'same'), 'utf8'), 'new')
  assert.is(readFileSync(join(remote, 'other'), 'utf8'), 'kept')
})

test('a folder that is not there is said', async (context) => {
  rmSync(context.local, { recursive: true })
  assert.equal(await seeded(context.started, context), E.left(`${context.local} is not a folder`))
})

test.run()
