/** The files of a development container, over a session with the agent as it is built. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { type DevSyncWorld, inDevSync, storedStatusIn, textOf, untilText as until } from '../support/dev/dev-sync.ts'
import { until as eventually } from '../support/process/until.ts'

const test = suite<DevSyncWorld>('files of a development container')
inDevSync(test)

test('all files are in the container after the first transfer, and changes go both ways', async ({
  begin,
  here,
  said,
  there,
}) => {
  fs.mkdirSync(join(here, 'node_modules'))
  for (const name of ['a', 'node_modules/x']) fs.writeFileSync(join(here, name), name)
  assert.ok(E.isRight(await begin().settled()))
  assert.is(textOf(join(there, 'a')), 'a')
  assert.is(fs.existsSync(join(there, 'node_modules')), false)
  assert.match(
    said[0] ?? '',
    /^not synchronised: \.git, node_modules\/, .*; the lines of a \.devtoolignore decide instead/,
  )
  assert.is(said.at(-1), `synchronised: 1 file of ${here} <-> ${there}`)
  fs.writeFileSync(join(there, 'b'), 'theirs')
  await until(join(here, 'b'), 'theirs')
  fs.writeFileSync(join(here, 'a'), 'mine')
  await until(join(there, 'a'), 'mine')
})

test('the progress is stored for `status` while a session runs, and removed afterwards', async ({
  begin,
  here,
  stored,
}) => {
  fs.writeFileSync(join(here, 'a'), 'one')
  const sync = begin()
  assert.ok(E.isRight(await sync.settled()))
  const percent = (): number | undefined => storedStatusIn(stored)?.percent
  for (let left = 1500; left > 0 && percent() !== 100; left -= 1) await systemClock.sleep(20)
  assert.is(percent(), 100)
  await sync.stop()
  assert.is(percent(), undefined)
})

test('what was changed while the link was cut arrives over the next one', async ({ begin, here, session, there }) => {
  fs.writeFileSync(join(here, 'a'), 'one')
  assert.ok(E.isRight(await begin().settled()))
  session.reachable(false)
  session.cut()
  fs.writeFileSync(join(here, 'a'), 'two')
  fs.writeFileSync(join(there, 'b'), 'theirs')
  session.reachable(true)
  await until(join(there, 'a'), 'two')
  await until(join(here, 'b'), 'theirs')
})

test('a new pod without the files gets them again, and no file is deleted on this machine', async ({
  begin,
  here,
  session,
  there,
}) => {
  fs.writeFileSync(join(here, 'a'), 'one')
  const sync = begin()
  assert.ok(E.isRight(await sync.settled()))
  session.reachable(false)
  session.cut()
  fs.rmSync(there, { recursive: true })
  session.replace()
  session.reachable(true)
  assert.ok(E.isRight(await sync.settled()))
  assert.is(textOf(join(there, 'a')), 'one')
  assert.is(textOf(join(here, 'a')), 'one')
})

test('a wait for a file of more than 100 MB ends with the next pod having all of it if the first one is lost', async (context) => {
  const { begin, here, session, there } = context
  const [size, ours, theirs] = [110_000_000, join(here, 'a'), join(there, 'a')]
  fs.writeFileSync(ours, 'one')
  fs.truncateSync(ours, size)
  fs.appendFileSync(ours, 'last')
  const settling = begin().settled()
  for (let left = 1500; left > 0 && !fs.existsSync(there); left -= 1) await systemClock.sleep(5)
  session.reachable(false)
  session.cut()
  session.replace()
  session.reachable(true)
  assert.ok(E.isRight(await settling))
  assert.ok(fs.readFileSync(theirs).equals(fs.readFileSync(ours)))
})

test('a wait for the files ends when they are no longer synchronised', async ({ begin, here, session }) => {
  fs.writeFileSync(join(here, 'a'), 'one')
  fs.truncateSync(join(here, 'a'), 64 * 1024 * 1024)
  const sync = begin()
  const settling = sync.settled()
  assert.ok(E.isRight(await session.session.link('terminal')()))
  await sync.stop()
  await settling
})

test('a wait for the files ends as the session does', async ({ begin, here, session }) => {
  fs.writeFileSync(join(here, 'a'), 'one')
  session.reachable(false)
  session.cut()
  const settling = begin().settled()
  session.session.end({ _tag: 'RecordGone', reason: 'it was taken down' })
  const found = await settling
  assert.ok(E.isLeft(found))
  assert.is(found.left.code, 'DT5053')
  assert.match(found.left.message, 'it was taken down')
})

/** Both ends have the files a, b and c, and the session is over. */
const agreed = async ({ begin, here }: Pick<DevSyncWorld, 'begin' | 'here'>): Promise<void> => {
  for (const name of ['a', 'b', 'c']) fs.writeFileSync(join(here, name), name)
  const first = begin()
  assert.ok(E.isRight(await first.settled()))
  await first.stop()
}

test('a file deleted between two sessions is deleted at the other end, since the base is known', async (context) => {
  const { begin, here, there } = context
  await agreed(context)
  fs.rmSync(join(here, 'a'))
  fs.rmSync(join(there, 'b'))
  assert.ok(E.isRight(await begin().settled()))
  await until(join(there, 'a'), undefined)
  await until(join(here, 'b'), undefined)
  assert.is(textOf(join(there, 'c')), 'c')
})

test('without the base of the session before, nothing is deleted, and files of this machine come back', async (context) => {
  const { beginAnew, here, there } = context
  await agreed(context)
  fs.rmSync(join(here, 'a'))
  fs.rmSync(join(there, 'b'))
  assert.ok(E.isRight(await beginAnew().settled()))
  await until(join(there, 'b'), 'b')
  assert.is(textOf(join(there, 'a')), 'a')
})

test('a later session sends only what has changed', async ({ begin, here, there }) => {
  await agreed({ begin, here })
  fs.writeFileSync(join(here, 'a'), 'changed')
  const files = (): ReadonlyArray<number> => ['a', 'b', 'c'].map((name) => fs.statSync(join(there, name)).ino)
  const [, ...before] = files()
  assert.ok(E.isRight(await begin().settled()))
  const [, ...after] = files()
  assert.equal(after, before)
  assert.is(textOf(join(there, 'a')), 'changed')
})

test('a shell does not wait longer than a moment for files, and it is said when they have arrived', async (context) => {
  const { begin, here, said, session, there } = context
  fs.writeFileSync(join(here, 'a'), 'one')
  session.reachable(false)
  session.cut()
  assert.ok(E.isRight(await begin().begun()))
  assert.is(said.at(-1), 'api: files are still being sent')
  session.reachable(true)
  await until(join(there, 'a'), 'one')
  await eventually('it is said', async () => said.includes(`synchronised: 1 file of ${here} <-> ${there}`))
})

for (const answer of ['theirs', 'mine']) {
  test(`a folder synchronised by another machine needs a choice of whose files to keep: ${answer}`, async (context) => {
    const { begin, here, there } = context
    fs.writeFileSync(join(here, 'a'), 'first')
    const first = begin()
    assert.ok(E.isRight(await first.settled()))
    await first.stop()
    fs.writeFileSync(join(here, 'a'), 'mine')
    fs.writeFileSync(join(there, 'a'), 'theirs')
    assert.ok(E.isRight(await begin('laptop', answer).settled()))
    assert.equal([textOf(join(here, 'a')), textOf(join(there, 'a'))], [answer, answer])
  })
}

test('a folder synchronised by another machine is not changed without that choice', async ({ begin, here, there }) => {
  fs.writeFileSync(join(here, 'a'), 'first')
  const first = begin()
  assert.ok(E.isRight(await first.settled()))
  await first.stop()
  fs.writeFileSync(join(there, 'a'), 'theirs')
  const found = await begin('laptop').settled()
  assert.ok(E.isLeft(found))
  assert.match(found.left.message, /was synchronised by ann on desk: which files count\?/)
  assert.is(textOf(join(here, 'a')), 'first')
})

test('a folder that is missing is reported', async ({ begin, here }) => {
  fs.rmSync(here, { recursive: true })
  const found = await begin().settled()
  assert.ok(E.isLeft(found))
  assert.is(found.left.code, 'DT5055')
})

test('with a rule for it, .git is sent, and nothing that happens to it in the container comes back', async (context) => {
  const { begin, here, there } = context
  fs.mkdirSync(join(here, 'lib/.git'), { recursive: true })
  fs.writeFileSync(join(here, '.devtoolignore'), '!.git\n')
  for (const path of ['lib/.git/HEAD', 'lib/.git/config', 'lib/a']) fs.writeFileSync(join(here, path), 'one')
  assert.ok(E.isRight(await begin().settled()))
  assert.is(textOf(join(there, 'lib/.git/HEAD')), 'one')
  fs.writeFileSync(join(there, 'lib/.git/HEAD'), 'theirs')
  fs.writeFileSync(join(there, 'lib/.git/hook'), 'theirs')
  fs.rmSync(join(there, 'lib/.git/config'))
  fs.writeFileSync(join(there, 'lib/a'), 'theirs')
  await until(join(here, 'lib/a'), 'theirs')
  fs.writeFileSync(join(here, 'lib/.git/index'), 'mine')
  await until(join(there, 'lib/.git/index'), 'mine')
  const ours = fs.readdirSync(join(here, 'lib/.git')).map((name) => `${name}: ${textOf(join(here, 'lib/.git', name))}`)
  assert.equal(ours.toSorted(), ['HEAD: one', 'config: one', 'index: mine'])
  assert.is(textOf(join(there, 'lib/.git/HEAD')), 'theirs')
})

test('files that devtool stores in the folder are not synchronised', async ({ begin, here, there }) => {
  fs.writeFileSync(join(here, 'a'), 'one')
  assert.ok(E.isRight(await begin('here/.devtool').settled()))
  fs.writeFileSync(join(here, 'a'), 'two')
  await until(join(there, 'a'), 'two')
  assert.equal(
    fs.readdirSync(there).filter((name) => !name.startsWith('.devtool-sync')),
    ['a'],
  )
})

test('a volume mounted below the folder is not synchronised', async ({ begin, here, there }) => {
  for (const folder of ['data', 'deep/volume']) {
    fs.mkdirSync(join(there, folder), { recursive: true })
    fs.mkdirSync(join(here, folder), { recursive: true })
    fs.writeFileSync(join(there, folder, 'rows'), 'theirs')
    fs.writeFileSync(join(here, folder, 'seed'), 'mine')
  }
  fs.writeFileSync(join(here, 'deep/a'), 'one')
  assert.ok(E.isRight(await begin().settled()))
  fs.rmSync(join(here, 'data'), { recursive: true })
  fs.writeFileSync(join(there, 'data/more'), 'theirs')
  fs.writeFileSync(join(here, 'deep/a'), 'two')
  await until(join(there, 'deep/a'), 'two')
  assert.equal(fs.readdirSync(join(there, 'data')).toSorted(), ['more', 'rows'])
  assert.equal(fs.readdirSync(join(there, 'deep/volume')), ['rows'])
  assert.equal(fs.readdirSync(join(here, 'deep/volume')), ['seed'])
  assert.is(fs.existsSync(join(here, 'data')), false)
})

test.run()
