/** The end of a synchronisation in the development container: serves a folder over a stream. */
import { mkdirSync, realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { defined } from '../../domain/object/defined.ts'
import type { TreeFile, TreeLook } from '../../domain/sync/entry.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OpenTree, TreeEvent, TreeFailure } from '../../ports/tree.ts'
import { reasonOf } from './disk.ts'
import { earlySender } from './early.ts'
import { messages, send } from './frames.ts'
import { askedIn, listedParts, type Opening, type TreeAnswer, type TreeQuestion, ticketOf } from './messages.ts'
import { newParts, type Parts } from './parts.ts'
import { outcomesOf, type Resumed, remember, resume, type TreeSessions } from './tree-sessions.ts'

export type Opens = (opening: Opening) => OpenTree

/** More often than the other end's limit. */
const busyMs = 10_000

type Opened = Pick<Opening, 'isEager' | 'link'> & { readonly tree: OpenTree } & Resumed

/** Until the stream ends and nothing is changed any more. */
export const serveTree = async (
  clock: Pick<Clock, 'every' | 'now'>,
  channel: Duplex,
  open: Opens,
  sessions: TreeSessions,
): Promise<void> => {
  channel.setMaxListeners(0).on('error', () => {})
  const contents = new Map<number, Parts>()
  let opened: Opened | undefined
  let reads = Promise.resolve()
  const unanswered = new Set<number>()
  const answer = (said: TreeAnswer, body?: Uint8Array): Promise<void> => {
    if (said.id !== undefined && said.end === true) unanswered.delete(said.id)
    return send(channel, said, body)
  }
  const stopSaying = clock.every(busyMs, () => {
    if (unanswered.size > 0) void answer({})
  })

  const told = async <A>(id: number, ask: TaskEither<TreeFailure, A>, say: (found: A) => TreeAnswer): Promise<void> => {
    const found = E.match(({ reason }: TreeFailure): TreeAnswer => ({ failed: reason }), say)(await ask())
    await answer({ ...found, id, end: true })
  }

  /** Changes that are no acts. */
  let changing: Promise<unknown> = Promise.resolve()
  const change =
    <A>(ask: TaskEither<TreeFailure, A>): TaskEither<TreeFailure, A> =>
    () => {
      const done = ask()
      changing = Promise.all([changing, done])
      return done
    }

  let telling = Promise.resolve()
  let untold = 0
  /** A look is always reported before the outcome of a later act. */
  const inOrder = (run: () => Promise<void>): Promise<void> => {
    const tell = async (): Promise<void> => {
      await run()
      untold -= 1
    }
    untold += 1
    telling = telling.then(tell)
    return telling
  }
  const tellParts = async (look: TreeLook, id: number | undefined): Promise<void> => {
    for (const listed of listedParts(look)) await answer({ ...defined({ id }), listed })
    await answer({ ...defined({ id }), end: true })
  }
  const early = earlySender(clock)
  const tellLook = (look: TreeLook, id: number): Promise<void> => {
    early.news(look)
    return inOrder(() => tellParts(look, id))
  }
  const tellContent = async ({ tree }: Opened, path: string, file: TreeFile): Promise<void> => {
    const parts: Array<Uint8Array> = []
    try {
      for await (const part of tree.read(path, file)) parts.push(part)
      await answer({ early: file.hash }, Buffer.concat(parts))
    } catch {
      // It has changed again, which will be told as well.
    }
  }
  const look = async (id: number, ask: TaskEither<TreeFailure, TreeLook>): Promise<void> => {
    await E.match(
      ({ reason }: TreeFailure) => answer({ id, end: true, failed: reason }),
      (found: TreeLook) => tellLook(found, id),
    )(await ask())
  }
  const tellNews = (event: TreeEvent): void => {
    if (event._tag !== 'Looked') return void answer({ hasOverflown: true })
    const news = early.news(event.look)
    const to = opened?.isEager === true && untold === 0 ? opened : undefined
    const files = to === undefined ? [] : early.due(news)
    void inOrder(async () => {
      if (to !== undefined) for (const [path, file] of files) await tellContent(to, path, file)
      await tellParts(event.look, undefined)
    })
  }

  const read = async (id: number, content: AsyncIterable<Uint8Array>): Promise<void> => {
    try {
      for await (const part of content) await answer({ id }, part)
      await answer({ id, end: true })
    } catch (cause) {
      await answer({ id, end: true, failed: reasonOf(cause) })
    }
  }

  const finish = async (): Promise<void> => {
    stopSaying()
    for (const content of contents.values()) content.end()
    channel.destroy()
    await Promise.all([changing, ...(opened?.acts.values() ?? [])])
    opened?.tree.close()
  }
  let closing: Promise<void> | undefined
  /** Does not wait for the stream to close, since an other end that is gone never closes it. */
  const close = (): Promise<void> => {
    closing ??= finish()
    return closing
  }

  const begin = async (opening: Opening): Promise<Opened> => {
    const { isEager, link, root, session } = opening
    if (!isAbsolute(root)) throw new Error(`${root} is not absolute`)
    const resumed = await resume(sessions, session, close)
    if (closing !== undefined) throw new Error('another link has taken its place')
    mkdirSync(root, { recursive: true })
    const tree = open({ ...opening, root: realpathSync(root) })
    tree.watch(tellNews)
    return { ...resumed, ...defined({ isEager }), tree, link }
  }

  const serve = async (id: number, question: TreeQuestion, body: Uint8Array): Promise<void> => {
    if (question._tag === 'Open') {
      opened = await begin(question.opening)
      return answer({ id, end: true })
    }
    if (opened === undefined) throw new Error('it is not open')
    const { acts, isKnown, link, tree: one } = opened
    switch (question._tag) {
      case 'Look':
        return void look(id, one.look(question.folders))
      case 'Read':
        // Sequentially, so that the other end need not buffer the second file while it reads the first.
        reads = reads.then(() => read(id, one.read(question.path, question.file)))
        return
      case 'Act': {
        const content = newParts()
        contents.set(id, content)
        const acting = one.act(question.act, content)()
        remember(acts, ticketOf(link, id), acting)
        return void acting.then((outcome) => {
          content.discard()
          contents.delete(id)
          if (outcome._tag === 'Done') early.know(outcome.entry)
          return inOrder(() => answer({ id, end: true, outcome }))
        })
      }
      case 'Outcomes':
        return answer({
          id,
          end: true,
          ...defined({ outcomes: isKnown ? await outcomesOf(acts, question.tickets) : undefined }),
        })
      case 'Fill':
        for (const act of question.acts) if (act._tag === 'Write') early.know(act.file)
        return void told(id, change(one.makeAll(question.acts, body)), (left) => ({ left }))
      case 'Polled':
        return void told(id, one.polled, (polled) => defined({ polled }))
      case 'Marker':
        return void told(id, one.marker, (marker) => defined({ marker }))
      case 'Mark':
        return void told(id, change(one.mark(question.marker)), () => ({}))
    }
  }

  try {
    for await (const { body, head } of messages(channel)) {
      const { end, id, question } = askedIn(head)
      const content = contents.get(id)
      if (body.length > 0) await content?.push(body)
      if (end === true) content?.end()
      if (closing !== undefined) break
      if (question === undefined) continue
      unanswered.add(id)
      try {
        await serve(id, question, body)
      } catch (cause) {
        await answer({ id, end: true, failed: reasonOf(cause) })
      }
    }
  } catch {
    // The stream has broken, or an invalid message arrived.
  }
  await close()
}
