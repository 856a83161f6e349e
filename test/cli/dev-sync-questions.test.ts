/** What `up` asks about the files of a development container and says of them, over a session with the agent as it is built. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { answerDeletions } from '../../src/app/sync/answer.ts'
import { answerText } from '../../src/domain/sync/stored-status.ts'
import { memoryHome } from '../memory/home.ts'
import { ctrlC } from '../memory/prompt.ts'
import { type DevSyncWorld, inDevSync, storedStatusIn, untilText } from '../support/dev/dev-sync.ts'
import { caseIgnoringFs, renamingFs, withFs } from '../support/process/file-systems.ts'
import { until } from '../support/process/until.ts'

const test = suite<DevSyncWorld>('questions about the files of a development container')
inDevSync(test)

const many = Array.from({ length: 30 }, (_, index) => `f${index}`)

/** With files at both ends, all of which were then deleted in the container. */
const emptied = async ({ begin, here, stored, there }: DevSyncWorld): Promise<void> => {
  for (const name of many) fs.writeFileSync(join(here, name), name)
  assert.ok(E.isRight(await begin().settled()))
  for (const name of many) fs.rmSync(join(there, name))
  await until('a question', () => storedStatusIn(stored)?.question !== undefined)
}

const answering = ({ here, stored }: DevSyncWorld, answer: 'Carry' | 'Restore', word?: string) =>
  answerDeletions({ clock: systemClock, home: memoryHome(stored) })(here, word, answer)

test('many deletions need confirmation, and refused ones are undone', async (context) => {
  await emptied(context)
  const { here, said, stored, there } = context
  assert.match(
    said.at(-1) ?? '',
    /30 of 30 files were deleted in the container.*`devtool sync allow api` deletes them here/,
  )
  assert.is(fs.readdirSync(here).length, 30)
  const { findings, value } = await answering(context, 'Restore', 'api')
  assert.equal(findings, [])
  assert.is(value?.question.deleted, 30)
  for (const name of many) await untilText(join(there, name), name)
  assert.is(fs.readdirSync(here).length, 30)
  await until('no question', () => storedStatusIn(stored)?.question === undefined)
})

test('many deletions are carried out once they are confirmed, and later ones need confirmation again', async (context) => {
  await emptied(context)
  const { here, said, stored, there } = context
  assert.equal((await answering(context, 'Carry')).findings, [])
  await until('all are deleted here', () => fs.readdirSync(here).length === 0)
  for (const name of many) fs.writeFileSync(join(here, name), 'again')
  for (const name of many) await untilText(join(there, name), 'again')
  for (const name of many) fs.rmSync(join(there, name))
  await until('another question', () => storedStatusIn(stored)?.question !== undefined)
  assert.is(said.filter((text) => text.includes('30 of 30 files were deleted')).length, 2)
})

test('an answer to a question of an earlier `up` is ignored', async (context) => {
  await emptied(context)
  const { begin, here, said, stored, syncs } = context
  const question = storedStatusIn(stored)?.question?.id ?? ''
  await syncs[0]?.stop()
  const [key] = [...stored.keys()].filter((path) => path.endsWith('/status.json'))
  stored.set((key ?? '').replace('status', 'answer'), answerText({ question, answer: 'Carry' }))
  assert.ok(E.isRight(await begin().settled()))
  await until('the question again', () => said.filter((text) => text.includes('30 of 30')).length === 2)
  await until('it is stored', () => storedStatusIn(stored)?.question !== undefined)
  assert.is(fs.readdirSync(here).length, 30)
})

for (const [answer, left] of [
  ['Carry', 0],
  ['Restore', 30],
  ['later', 30],
] as const) {
  test(`deletions between two sessions need confirmation, which a free terminal asks for: ${answer}`, async (context) => {
    const { begin, here, there } = context
    for (const name of many) fs.writeFileSync(join(here, name), name)
    const first = begin()
    assert.ok(E.isRight(await first.settled()))
    await first.stop()
    for (const name of many) fs.rmSync(join(there, name))
    assert.ok(E.isRight(await begin('desk', answer, '`devtool sync allow`').settled()))
    await until('what was answered', () => fs.readdirSync(here).length === left)
    const own = (name: string): boolean => name.startsWith('.devtool-sync')
    const back = answer === 'Restore' ? 30 : 0
    await until('the container', () => fs.readdirSync(there).filter((name) => !own(name)).length === back)
  })
}

test('Ctrl-C at the question ends `up` as an interruption, and nothing is deleted', async (context) => {
  const { begin, here, there } = context
  for (const name of many) fs.writeFileSync(join(here, name), name)
  const first = begin()
  assert.ok(E.isRight(await first.settled()))
  await first.stop()
  for (const name of many) fs.rmSync(join(there, name))
  const found = await begin('desk', ctrlC, '`devtool sync allow`').settled()
  assert.is(E.isLeft(found) ? found.left.code : '', 'DT3121')
  assert.is(fs.readdirSync(here).length, 30)
})

test('files that are not synchronised are named, and stored for `status`', async ({ begin, here, said, stored }) => {
  fs.symlinkSync('/etc/hostname', join(here, 'out'))
  fs.writeFileSync(join(here, 'a.conflict-0a1b2c'), 'theirs')
  assert.ok(E.isRight(await begin().settled()))
  await until('a trouble', () => (storedStatusIn(stored)?.troubles.length ?? 0) > 0)
  const expected = 'out is left as it is here: it is a link that leads out of the folder'
  assert.equal(storedStatusIn(stored)?.troubles, [expected])
  assert.equal(storedStatusIn(stored)?.conflicts, ['a.conflict-0a1b2c'])
  await until('it is said', () => said.includes(`api: ${expected}`))
})

test('a conflict is named once, with the path of its copy', async (context) => {
  const { begin, here, said, stored, there } = context
  fs.writeFileSync(join(here, 'a'), 'one')
  const first = begin()
  assert.ok(E.isRight(await first.settled()))
  await first.stop()
  fs.writeFileSync(join(here, 'a'), 'mine')
  fs.writeFileSync(join(there, 'a'), 'theirs')
  assert.ok(E.isRight(await begin().settled()))
  await until('it is stored', () => storedStatusIn(stored)?.conflicts.length === 1)
  const [copy = ''] = storedStatusIn(stored)?.conflicts ?? []
  await untilText(join(here, copy), 'theirs')
  const line = `api: a was changed at both ends; that in the container is kept beside it as ${copy}`
  await until('it is said', () => said.includes(line))
  assert.equal(
    said.filter((text) => text.includes('was changed')),
    [line],
  )
})

test('a file system that only ignores case is synchronised, and `up` says what that means', async (context) => {
  const { begin, here, said } = context
  assert.ok(E.isRight(await withFs(caseIgnoringFs, () => begin().settled())))
  assert.ok(said.includes(`${here} ignores case: of README and readme in the container, only one can be here`))
})

test('a file system that changes names is refused, and nothing is synchronised', async ({ begin, here, there }) => {
  fs.writeFileSync(join(here, 'a'), 'mine')
  const decomposing = renamingFs((name) => name.normalize('NFD'))
  const found = await withFs(decomposing, () => begin().settled())
  const reason = `the file system of ${here} changes the names of files, so those at the other end would be renamed`
  assert.equal(E.isLeft(found) ? [found.left.code, found.left.message] : [], [
    'DT5055',
    `sync: api: the files of ${here} <-> ${there} are not synchronised: ${reason}`,
  ])
  assert.is(fs.existsSync(there), false)
})

test('while a session runs, each end serves a page that requires the password', async ({
  begin,
  here,
  stored,
  there,
}) => {
  fs.writeFileSync(join(here, 'a'), 'one')
  const sync = begin()
  assert.ok(E.isRight(await sync.settled()))
  fs.writeFileSync(join(here, 'b'), 'two')
  await untilText(join(there, 'b'), 'two')
  fs.writeFileSync(join(there, 'c'), 'three')
  await untilText(join(here, 'c'), 'three')
  await until('the pages', () => storedStatusIn(stored)?.pages !== undefined)
  const pages = storedStatusIn(stored)?.pages ?? { here: '', there: '', user: '', password: '' }
  const read = async (url: string, password = pages.password): Promise<readonly [number, string]> => {
    const authorization = `Basic ${Buffer.from(`${pages.user}:${password}`).toString('base64')}`
    const answer = await fetch(url, { headers: { authorization } })
    return [answer.status, await answer.text()]
  }
  assert.match(
    (await read(pages.here))[1],
    /^file: 3, conflict copies: 0\n[^]*\/here\nacts: 1 done, [^]* Write c: done\n/,
  )
  assert.match((await read(pages.there))[1], /^file: 3, conflict copies: 0\n[^]*\/there\nacts: [^]* Write b: done\n/)
  assert.equal(await read(pages.here, 'guess'), [401, ''])
  assert.is((await fetch(pages.there)).status, 401)
  const log = fs.readdirSync(join(here, '..', 'desk', 'sync'))[0] ?? ''
  await sync.stop()
  const lines = fs.readFileSync(join(here, '..', 'desk', 'sync', log, 'log'), 'utf8')
  assert.match(lines, /Z Write c: done\n/)
  assert.match(lines, /Z in the container: Write b: done\n/)
  assert.match(lines, /Z in the container: closed after 1 acts done, 0 left, 0 failed\n/)
  assert.is(storedStatusIn(stored), undefined)
  assert.is(
    await fetch(pages.here).then(
      () => 'served',
      () => 'gone',
    ),
    'gone',
  )
})

test.run()
