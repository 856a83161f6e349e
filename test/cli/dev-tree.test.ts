/** A folder of a development container, by the agent as it is built. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { syncSubsystem } from '../../src/adapters/sync/messages.ts'
import { remoteTree } from '../../src/adapters/sync/remote-tree.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { syncRulesOf } from '../../src/domain/ignore/sync-rules.ts'
import type { Link } from '../../src/ports/link.ts'
import type { OpenTree, TreeEvent } from '../../src/ports/tree.ts'
import { fileWith, rightOf } from '../contract/tree-world.ts'
import { type AgentWorld, linked, withStartedAgent } from '../support/dev/agent.ts'

const test = suite<AgentWorld & { root: string }>('folder of a container')

withStartedAgent(test)

test.before.each((context) => {
  context.root = fs.mkdtempSync(join(tmpdir(), 'container-'))
})
test.after.each(({ root }) => fs.rmSync(root, { recursive: true, force: true }))

const opened = async (link: Link, root: string, rules = ''): Promise<OpenTree> => {
  const ignores = syncRulesOf((file) => (file === '.devtoolignore' ? rules : undefined)).text
  return rightOf(
    remoteTree(systemClock, await rightOf(link.subsystem(syncSubsystem)), { root, ignores, session: root }),
  )
}

test('a folder in a container can be listed, written to and watched', async ({ link, root }) => {
  fs.writeFileSync(join(root, 'a'), 'one')
  fs.writeFileSync(join(root, 'a.log'), 'ignored')
  const tree = await opened(link, root, '*.log\n')
  const look = await rightOf(tree.look())
  assert.equal(look.listings.get(''), { entries: new Map([['a', fileWith('one')]]), isHeld: true })
  const text = 'long '.repeat(500_000)
  async function* content(): AsyncGenerator<Uint8Array, void> {
    yield* text.match(/[^]{1,200000}/g)?.map((part) => Buffer.from(part)) ?? []
  }
  const write = { _tag: 'Write', end: 'there', path: 'long', expect: undefined, file: fileWith(text) } as const
  assert.equal(await tree.act(write, content())(), { _tag: 'Done', entry: fileWith(text) })
  assert.ok(fs.readFileSync(join(root, 'long'), 'utf8') === text)
  const told = new Promise<TreeEvent>((resolve) => {
    tree.watch((event) => event._tag === 'Looked' && event.look.listings.get('')?.entries.has('b') && resolve(event))
  })
  fs.writeFileSync(join(root, 'b'), 'two')
  assert.is((await told)._tag, 'Looked')
  tree.close()
})

test('a missing folder in a container is created, or the reason is reported', async ({ link, root }) => {
  const tree = await opened(link, join(root, 'x/y'))
  assert.is(fs.statSync(join(root, 'x/y')).isDirectory(), true)
  tree.close()
  fs.writeFileSync(join(root, 'file'), '')
  const failed = await remoteTree(systemClock, await rightOf(link.subsystem(syncSubsystem)), {
    root: join(root, 'file/below'),
    ignores: syncRulesOf(() => undefined).text,
    session: 'one',
  })()
  assert.is(E.isLeft(failed) && failed.left._tag, 'NoRoot')
})

test('a request that is pending when the link is cut fails as lost', async ({ root, started }) => {
  const link = await linked(started)
  const tree = await opened(link, root)
  const lost = new Promise<TreeEvent>((resolve) => {
    tree.watch(resolve)
  })
  link.close()
  assert.is((await lost)._tag, 'Lost')
  const look = await tree.look()()
  assert.is(E.isLeft(look) && look.left._tag, 'Lost')
})

test('the agent refuses unknown subsystems', async ({ link }) => {
  const found = await link.subsystem('other')()
  assert.is(E.isLeft(found) && found.left._tag, 'Refused')
})

test.run()
