/** The files of the container were chosen, in a folder that another machine synchronised before. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { FirstTransfer } from '../../../src/app/sync/begin.ts'
import { keepBase } from '../../../src/app/sync/keep-base.ts'
import { synchronise } from '../../../src/app/sync/synchronise.ts'
import type { TreeMarker } from '../../../src/domain/sync/folder.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { rightOf } from '../../contract/tree-world.ts'
import { until } from '../../support/process/until.ts'
import { memoryJournal } from '../../support/sync/memory-journal.ts'

type World = {
  base: string
  here: OpenTree
  there: OpenTree
  journal: ReturnType<typeof memoryJournal>
}

const test = suite<World>('the files of the container were chosen')

test.before.each((context) => {
  context.base = fs.mkdtempSync(join(tmpdir(), 'chosen-'))
  const [here, there] = (['here', 'there'] as const).map((name) => {
    fs.mkdirSync(join(context.base, name))
    return diskTree({ clock: systemClock, root: join(context.base, name), isIgnored: () => false })
  })
  assert.ok(here !== undefined && there !== undefined)
  Object.assign(context, { here, there })
  context.journal = memoryJournal()
  fs.writeFileSync(join(context.base, 'here', 'a'), 'mine')
  fs.writeFileSync(join(context.base, 'there', 'a'), 'theirs')
})
test.after.each(({ base, here, there }) => {
  here.close()
  there.close()
  fs.rmSync(base, { recursive: true })
})

const markOf = (world: World, marker: Partial<TreeMarker>) =>
  rightOf(world.there.mark({ id: 'old', machine: 'other', user: 'bob', atMs: 1, ...marker }))

/** `sent`: what was sent before anything was compared. */
const begin = ({ here, journal }: World) => {
  const sent: Array<string> = []
  const first: FirstTransfer = () => TE.fromIO(() => void sent.push('all'))
  const engine = synchronise(systemClock, {
    here,
    keeper: keepBase(journal),
    modeOf: () => 'two-way',
    machine: 'laptop',
    user: 'ann',
    newId: () => 'new',
    whose: () => TE.right('Theirs'),
    say: () => {},
  })
  return { engine, first, sent }
}

const textAt = ({ base }: World, end: 'here' | 'there'): string => fs.readFileSync(join(base, end, 'a'), 'utf8')

test('chosen files still take precedence after a kill before the first comparison', async (world) => {
  await markOf(world, { id: 'new', machine: 'laptop', prefers: 'there' })
  await rightOf(keepBase(world.journal).begin({ marker: 'new', base: new Map() }))
  const { engine, first, sent } = begin(world)
  await rightOf(engine.link(world.there, first))
  await until('theirs', () => textAt(world, 'here') === 'theirs')
  await engine.stop()
  assert.equal(sent, [])
  assert.is(textAt(world, 'there'), 'theirs')
})

test('the choice of files ends once everything possible was taken over, even if something cannot be', async (world) => {
  await markOf(world, {})
  fs.writeFileSync(Buffer.concat([Buffer.from(join(world.base, 'there/')), Buffer.from([0xff])]), 'no name')
  const { engine, first } = begin(world)
  await rightOf(engine.link(world.there, first))
  await until('theirs', () => textAt(world, 'here') === 'theirs')
  await until('the choice is forgotten', async () => (await rightOf(world.there.marker))?.prefers === undefined)
  assert.not.ok(engine.state().isComplete)
  await engine.stop()
})

test.run()
