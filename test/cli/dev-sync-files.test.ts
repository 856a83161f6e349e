/** Single files of this machine that are the same in a development container, over a session with the agent as it is built. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DevSyncWorld, inDevSync, textOf, untilText } from '../support/dev/dev-sync.ts'
import { until } from '../support/process/until.ts'

const test = suite<DevSyncWorld>('single files of a development container')
inDevSync(test)

test('a single file is synchronised both ways under its two names, and its neighbours are not', async (context) => {
  const { begin, folders, here, said, there } = context
  fs.mkdirSync(there)
  for (const name of ['dev.conf', 'other']) fs.writeFileSync(join(here, name), 'mine')
  for (const name of ['nginx.conf', 'mime.types', 'dev.conf']) fs.writeFileSync(join(there, name), 'of the image')
  folders.splice(0, 1, [join(here, 'dev.conf'), join(there, 'nginx.conf')])
  assert.ok(E.isRight(await begin().settled()))
  assert.is(said.at(-1), `synchronised: 1 file of ${here}/dev.conf <-> ${there}/nginx.conf`)
  assert.is(textOf(join(there, 'nginx.conf')), 'mine')
  fs.writeFileSync(join(here, 'dev.conf'), 'saved here')
  await untilText(join(there, 'nginx.conf'), 'saved here')
  fs.writeFileSync(join(there, 'next'), 'saved there')
  fs.renameSync(join(there, 'next'), join(there, 'nginx.conf'))
  await untilText(join(here, 'dev.conf'), 'saved there')
  const names = fs.readdirSync(here).filter((name) => !name.startsWith('.devtool-sync'))
  assert.equal(names.toSorted(), ['dev.conf', 'other'])
  assert.equal([textOf(join(there, 'mime.types')), textOf(join(there, 'dev.conf'))], ['of the image', 'of the image'])
})

test('two files of one folder, and the folder around one of them, are synchronised independently', async (context) => {
  const { begin, folders, here, there } = context
  const names = ['a[1].conf', 'b.conf', 'src']
  for (const name of names) fs.writeFileSync(join(here, name), name)
  folders.push([join(here, 'b.conf'), join(there, 'a[1].conf')], [join(here, 'a[1].conf'), join(there, 'etc/a')])
  const first = begin()
  assert.ok(E.isRight(await first.settled()))
  assert.is(textOf(join(there, 'a[1].conf')), 'b.conf')
  assert.is(textOf(join(there, 'etc/a')), 'a[1].conf')
  assert.is(textOf(join(there, 'src')), 'src')
  await first.stop()
  fs.writeFileSync(join(there, 'a[1].conf'), 'theirs')
  fs.writeFileSync(join(here, 'a[1].conf'), 'mine')
  assert.ok(E.isRight(await begin().settled()))
  await untilText(join(here, 'b.conf'), 'theirs')
  await untilText(join(there, 'etc/a'), 'mine')
  assert.is(textOf(join(there, 'a[1].conf')), 'theirs')
})

test('of a file that was changed at both ends, the other version is kept beside it at both', async ({
  begin,
  folders,
  here,
  there,
}) => {
  fs.writeFileSync(join(here, 'a'), 'one')
  folders.splice(0, 1, [join(here, 'a'), join(there, 'b')])
  const first = begin()
  assert.ok(E.isRight(await first.settled()))
  await first.stop()
  fs.writeFileSync(join(here, 'a'), 'mine')
  fs.writeFileSync(join(there, 'b'), 'theirs')
  assert.ok(E.isRight(await begin().settled()))
  assert.is(textOf(join(there, 'b')), 'mine')
  const copyIn = (folder: string): string | undefined =>
    fs.readdirSync(folder).find((name) => name.includes('.conflict-'))
  await until('a copy here', () => Promise.resolve(copyIn(here) !== undefined))
  const [ours, theirs] = [copyIn(here) ?? '', copyIn(there) ?? '']
  assert.equal([ours.slice(0, 11), theirs.slice(0, 11)], ['a.conflict-', 'b.conflict-'])
  await untilText(join(here, ours), 'theirs')
  await untilText(join(there, theirs), 'theirs')
})

test.run()
