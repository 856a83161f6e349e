/** Contents that the agent sends with the news of a change, before they are asked for. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Duplex, duplexPair } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { type Message, messages, send } from '../../../src/adapters/sync/frames.ts'
import { remoteTree } from '../../../src/adapters/sync/remote-tree.ts'
import { serveTree } from '../../../src/adapters/sync/serve-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { fileWith, rightOf } from '../../contract/tree-world.ts'
import { until } from '../../support/process/until.ts'

type World = { root: string; near: Duplex; far: Duplex }

const test = suite<World>('early contents')

test.before.each((world) => {
  // The default differs between versions of Node.js.
  const [near, far] = duplexPair({ highWaterMark: 16 * 1024 })
  near.once('close', () => far.destroy())
  Object.assign(world, { root: fs.mkdtempSync(join(tmpdir(), 'early-')), near, far })
})
test.after.each(({ near, root }) => {
  near.destroy()
  fs.rmSync(root, { recursive: true })
})

type Agent = {
  readonly ask: (question: object, content?: string) => Promise<void>
  /** Reads no more until the returned function is called. */
  readonly hold: () => () => void
  /** Contents that came with the news of these changes, by hash. */
  readonly early: (names: ReadonlyArray<string>) => Promise<ReadonlyMap<unknown, string>>
}

const agent = async ({ far, near, root }: World, opening: object = { isEager: true }): Promise<Agent> => {
  void serveTree(
    systemClock,
    far,
    (at) => diskTree({ clock: systemClock, root: at.root, isIgnored: () => false }),
    new Map(),
  )
  let heard: Array<Message> = []
  let held = Promise.resolve()
  // Until it is destroyed.
  const hear = async (): Promise<void> => {
    for await (const message of messages(near)) {
      heard.push(message)
      await held
    }
  }
  hear().catch(() => {})
  let id = 0
  const ask: Agent['ask'] = async (question, content) => {
    id += 1
    const own = id
    await send(near, { id: own, question })
    if (content !== undefined) await send(near, { id: own }, Buffer.from(content))
    await send(near, { id: own, end: true })
    await until(JSON.stringify(question), () => heard.some(({ head }) => Object(head).id === own && Object(head).end))
  }
  await ask({ _tag: 'Open', opening: { root, ignores: '', session: 'one', link: 'one', ...opening } })
  await ask({ _tag: 'Look' })
  return {
    ask,
    hold: () => {
      let release = (): void => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      return () => release()
    },
    early: async (names) => {
      const isTold = (name: string): boolean =>
        heard.some(({ head }) => Object(head).id === undefined && JSON.stringify(head).includes(`"${name}"`))
      await until(`news of ${names.join(', ')}`, () => names.every(isTold))
      const found = heard.filter(({ head }) => Object(head).early !== undefined)
      heard = []
      return new Map(found.map(({ body, head }) => [Object(head).early, body.toString()]))
    },
  }
}

const hashOf = (text: string): string => fileWith(text).hash

test('a few small files that have changed come with the news, once', async (world) => {
  fs.writeFileSync(join(world.root, 'known'), 'known')
  const { early } = await agent(world)
  const write = (name: string, text: string): void => fs.writeFileSync(join(world.root, name), text)
  write('a', 'one')
  assert.equal([...(await early(['a']))], [[hashOf('one'), 'one']])
  write('b', 'two')
  assert.equal([...(await early(['b']))], [[hashOf('two'), 'two']])
  write('large', 'x'.repeat(70_000))
  assert.equal([...(await early(['large']))], [])
  fs.mkdirSync(join(world.root, 'folder'))
  const many = Array.from({ length: 20 }, (_, at) => `many${at}`)
  fs.mkdirSync(join(world.root, 'next'))
  for (const name of many) write(`next/${name}`, name)
  fs.renameSync(join(world.root, 'next'), join(world.root, 'folder/next'))
  assert.is((await early(many)).size, 0)
})

test('a file that keeps changing is not sent each time', async (world) => {
  const { early } = await agent(world)
  const log = join(world.root, 'log')
  let sent = 0
  const begunMs = performance.now()
  for (let line = 0; line < 40; line += 1) {
    fs.appendFileSync(log, `${line}\n`)
    sent += (await early(['log'])).size
  }
  assert.ok(sent <= 1 + (performance.now() - begunMs) / 250, `${sent}`)
})

test('nothing is sent early to an end that does not want it', async (world) => {
  const { early } = await agent(world, {})
  fs.writeFileSync(join(world.root, 'a'), 'one')
  assert.is((await early(['a'])).size, 0)
})

test('nothing of .git is sent early, as it is only pushed', async (world) => {
  const { early } = await agent(world)
  fs.mkdirSync(join(world.root, '.git'))
  await early(['.git'])
  fs.writeFileSync(join(world.root, '.git/HEAD'), 'ref: refs/heads/main')
  assert.is((await early(['HEAD'])).size, 0)
})

test('an end that reads slowly gets no contents ahead of news', async (world) => {
  const { early, hold } = await agent(world)
  const release = hold()
  for (let at = 0; at < 6; at += 1) {
    fs.writeFileSync(join(world.root, `large${at}`), Buffer.alloc(60_000, `${at}`))
    await systemClock.sleep(60)
  }
  release()
  assert.ok((await early(['large5'])).size <= 2)
})

test('what this end has written does not come back', async (world) => {
  const { ask, early } = await agent(world)
  const act = { _tag: 'Write', end: 'there', path: 'ours', expect: undefined, file: fileWith('ours') }
  await ask({ _tag: 'Act', act }, 'ours')
  fs.writeFileSync(join(world.root, 'theirs'), 'theirs')
  assert.equal([...(await early(['ours', 'theirs']))], [[hashOf('theirs'), 'theirs']])
})

const contentOf = async (tree: OpenTree, text: string): Promise<string> => {
  const parts: Array<Uint8Array> = []
  for await (const part of tree.read('a', fileWith(text))) parts.push(part)
  return Buffer.concat(parts).toString()
}

/** Answers each question about a content with `asked`. */
const answering = async ({ far, near, root }: World, sent: ReadonlyArray<string>): Promise<OpenTree> => {
  const answer = async (): Promise<void> => {
    for await (const { head } of messages(far)) {
      const { id, question } = Object(head)
      if (question?._tag === 'Read') await send(far, { id }, Buffer.from('asked'))
      if (question !== undefined) await send(far, { id, end: true })
    }
  }
  answer().catch(() => {})
  const tree = await rightOf(remoteTree(systemClock, near, { root, ignores: '', session: 'one' }))
  for (const text of sent) await send(far, { early: hashOf(text) }, Buffer.from(text))
  await rightOf(tree.marker)
  return tree
}

test('a content that has come is not asked for; afterwards it is', async (world) => {
  const tree = await answering(world, ['one', ''])
  assert.is(await contentOf(tree, 'one'), 'one')
  assert.is(await contentOf(tree, 'one'), 'asked')
  assert.is(await contentOf(tree, ''), '')
})

test('only the last few are held, and none that is large: the container is not trusted', async (world) => {
  const texts = Array.from({ length: 9 }, (_, at) => `text ${at}`)
  const tree = await answering(world, [...texts, 'x'.repeat(70_000)])
  assert.is(await contentOf(tree, 'text 0'), 'asked')
  assert.is(await contentOf(tree, 'text 1'), 'text 1')
  assert.is(await contentOf(tree, 'x'.repeat(70_000)), 'asked')
})

test.run()
