/** A hostile end of a synchronisation in a container: it sends anything, and sometimes a valid answer. */
import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { messages, send } from '../../../src/adapters/sync/frames.ts'
import type { Random } from './random.ts'

const contents = ['of the liar', 'another lie', 'x'.repeat(100_000)]
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Valid names are the most frequent: everything else ends the connection. */
const names = ['a', 'b', 'c', 'd', 'e', 'link', 'out', 'a.conflict-000000', '.git', '-rf', 'e\u0301', 'A']
const badNames = ['..', '.', '', 'a/b', '../outside', '.devtool-sync', 'nul\0', 'n'.repeat(300), 7, null]
const targets = ['a', '../a', '..', '../../outside', '/etc/passwd', 'link/../../outside/secret', '', 'b/c']

const nameOf = (random: Random): unknown => random.pick(random.chance(0.004) ? badNames : names)

const entryOf = (random: Random): unknown => {
  if (random.chance(0.003)) return random.pick([null, 'File', { _tag: 'File' }, { _tag: 'Link', target: 3 }, []])
  const content = random.pick(contents) ?? ''
  switch (random.below(6)) {
    case 0:
    case 1:
      return { _tag: 'Folder', id: `id${random.below(3)}` }
    case 2:
      return { _tag: 'Link', target: random.pick(targets) }
    case 3:
      return { _tag: random.pick(['Special', 'Unknown']), reason: '\u001b[2J' }
    default:
      return {
        _tag: 'File',
        hash: hashOf(content),
        isExecutable: random.chance(0.2),
        size: random.chance(0.9) ? content.length : random.below(1_000_000),
      }
  }
}

const folders = ['', '', 'a', 'b', 'a/b', 'out', 'link', 'c', 'c/d', 'a/b/c']

const listedBy = (random: Random): unknown => {
  if (random.chance(0.01)) return random.pick([null, {}, [[]], [['../outside', false, []]], [['/', false, []]]])
  return Array.from({ length: 1 + random.below(6) }, () => [
    random.pick(folders),
    random.chance(0.2),
    Array.from({ length: random.below(6) }, () => [nameOf(random), entryOf(random)]),
  ])
}

const outcomeBy = (random: Random, act: { readonly file?: unknown }): unknown => {
  switch (random.below(6)) {
    case 0:
      return { _tag: 'Refused', found: entryOf(random) }
    case 1:
      return { _tag: 'Failed', trouble: random.pick(['NoSpace', 'NoSource', 'constructor']), reason: 'because' }
    case 2:
      return random.chance(0.1) ? undefined : { _tag: 'Done', entry: entryOf(random) }
    default:
      return { _tag: 'Done', entry: act.file }
  }
}

const markerBy = (random: Random, marked: unknown): unknown =>
  random.pick([marked, marked, undefined, { id: 'x', machine: 'other', user: '\u001b[31m', atMs: 1 }, { id: 1 }, []])

/** Sends content that it announced, or other content. */
const sendContent = async (channel: Duplex, random: Random, id: number, hash: unknown): Promise<void> => {
  const content = contents.find((text) => hashOf(text) === hash) ?? 'none'
  const said = random.chance(0.8) ? content : (random.pick(contents) ?? '')
  await send(channel, { id }, Buffer.from(said))
  if (random.chance(0.1)) await send(channel, { id }, Buffer.alloc(200_000))
  await send(channel, random.chance(0.1) ? { id, end: true, failed: 'no' } : { id, end: true })
}

/** Until the stream ends. */
export const lie = async (channel: Duplex, random: Random): Promise<void> => {
  channel.on('error', () => {})
  let marked: unknown
  const answer = async (id: number, question: { readonly [key: string]: unknown }): Promise<void> => {
    switch (question['_tag']) {
      case 'Open':
        return send(channel, { id, end: true })
      case 'Marker':
        return send(channel, { id, end: true, marker: markerBy(random, marked) })
      case 'Mark':
        marked = question['marker']
        return send(channel, { id, end: true })
      case 'Look':
        for (let parts = random.below(4); parts > 0; parts -= 1) await send(channel, { id, listed: listedBy(random) })
        return send(channel, random.chance(0.05) ? { id, end: true, failed: 'no' } : { id, end: true })
      case 'Read':
        return sendContent(channel, random, id, Object(question['file']).hash)
      case 'Act':
        return send(channel, { id, end: true, outcome: outcomeBy(random, Object(question['act'])) })
      default:
        return send(channel, { id, end: true, left: random.pick([[], [0], [1e9, -1]]) })
    }
  }
  try {
    for await (const { head } of messages(channel)) {
      const { id, question } = Object(head)
      if (question !== undefined) await answer(id, question)
      if (random.chance(0.1)) await send(channel, { hasOverflown: true })
      if (random.chance(0.3)) {
        await send(channel, { listed: listedBy(random) })
        await send(channel, { end: true })
      }
      if (random.chance(0.005)) channel.write(Buffer.from('no message'))
    }
  } catch {
    // The stream was cut off.
  }
  channel.destroy()
}
