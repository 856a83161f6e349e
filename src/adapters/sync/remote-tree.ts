/** The port `Tree` over a stream to the agent of a development container. */
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { defined } from '../../domain/object/defined.ts'
import type { ActOutcome, SyncAct } from '../../domain/sync/act.ts'
import type { TreeFile } from '../../domain/sync/entry.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OpenTree, TreeEndpoint, TreeEvent, TreeFailure } from '../../ports/tree.ts'
import { reasonOf } from './disk.ts'
import { earlyReceiver } from './early.ts'
import { messages, send } from './frames.ts'
import { type LookBeing, newHeard } from './heard.ts'
import {
  type Asked,
  answerIn,
  invalidAnswer,
  type Opening,
  type TreeAnswer,
  type TreeQuestion,
  ticketOf,
} from './messages.ts'
import { newParts } from './parts.ts'

/** How often it is checked whether the other end still answers. An answer may take several of these intervals. */
const turnMs = 5_000
const mostTurns = 6

/** `isLong`: the other end reports from time to time that it is working on it. */
type Waiting = {
  readonly isLong: boolean
  /** May throw when the answer is invalid. */
  readonly take: (answer: TreeAnswer, body: Uint8Array) => Promise<void> | void
  readonly lose: (reason: string, id: number) => void
}

type Asking = {
  /** Returns the number of the question. */
  readonly ask: (
    question: TreeQuestion,
    waiting: Waiting,
    body?: Uint8Array,
  ) => { readonly id: number; readonly sent: Promise<void> }
  readonly say: (asked: Asked, body?: Uint8Array) => Promise<void>
  readonly looks: () => LookBeing
  /** A content that was sent without being asked for. */
  readonly early: (hash: string) => Uint8Array | undefined
  readonly close: () => void
}

const asking = (clock: Pick<Clock, 'every'>, channel: Duplex, tell: (event: TreeEvent) => void): Asking => {
  const waiting = new Map<number, Waiting & { readonly since: number }>()
  let asked = 0
  let lost: string | undefined
  let [turn, heardAt, isTaking] = [0, 0, false]
  const stopAsking = clock.every(turnMs, () => {
    // Does not count while this end is busy with an answer that has arrived.
    if (isTaking) return
    turn += 1
    const isOver = ({ isLong, since }: { readonly isLong: boolean; readonly since: number }): boolean =>
      turn - (isLong ? Math.max(since, heardAt) : since) > mostTurns
    if ([...waiting.values()].some(isOver)) lose('it does not answer')
  })
  const newLook = newHeard()
  const lose = (reason: string): void => {
    if (lost !== undefined) return
    lost = reason
    stopAsking()
    const all = [...waiting]
    waiting.clear()
    for (const [id, one] of all) one.lose(lost, id)
    tell({ _tag: 'Lost', reason: lost })
    channel.destroy()
  }
  const take = async (one: Waiting | undefined, answer: TreeAnswer, body: Uint8Array): Promise<void> => {
    isTaking = true
    try {
      await one?.take(answer, body)
    } catch (cause) {
      if (answer.id !== undefined) one?.lose(reasonOf(cause), answer.id)
      throw cause
    } finally {
      isTaking = false
    }
  }
  let news = newLook()
  const early = earlyReceiver()
  const takeNews = ({ early: hash, end, hasOverflown, listed }: TreeAnswer, body: Uint8Array): void => {
    if (hash !== undefined) return early.put(hash, body)
    if (hasOverflown === true) return tell({ _tag: 'Overflow' })
    news.add(listed)
    if (end !== true) return
    tell({ _tag: 'Looked', look: news.end(false) })
    news = newLook()
  }
  const run = async (): Promise<void> => {
    try {
      for await (const { body, head } of messages(channel)) {
        heardAt = turn
        const answer = answerIn(head)
        if (answer.id === undefined) takeNews(answer, body)
        const one = answer.id === undefined ? undefined : waiting.get(answer.id)
        if (answer.end === true && answer.id !== undefined) waiting.delete(answer.id)
        await take(one, answer, body)
      }
      lose('the connection was lost')
    } catch (cause) {
      lose(reasonOf(cause))
    }
  }
  channel.setMaxListeners(0).on('error', () => {})
  channel.once('close', () => lose('the connection was lost'))
  void run()
  const say = (said: Asked, body?: Uint8Array): Promise<void> =>
    lost === undefined ? send(channel, said, body) : Promise.resolve()
  return {
    ask: (question, one, body) => {
      asked += 1
      const id = asked
      if (lost !== undefined) {
        one.lose(lost, id)
        return { id, sent: Promise.resolve() }
      }
      waiting.set(id, { ...one, since: turn })
      return { id, sent: say({ id, question }, body) }
    },
    say,
    looks: newLook,
    early: early.take,
    close: () => lose('it was closed'),
  }
}

const failure = (_tag: TreeFailure['_tag'], reason: string): E.Either<TreeFailure, never> => E.left({ _tag, reason })

/** Asks a question that has exactly one answer. */
const asked =
  <A>(
    { ask }: Asking,
    question: TreeQuestion,
    show: (answer: TreeAnswer) => A,
    body?: Uint8Array,
  ): TE.TaskEither<TreeFailure, A> =>
  () =>
    new Promise((resolve) => {
      ask(
        question,
        {
          isLong: body !== undefined,
          take: (answer) => {
            resolve(answer.failed === undefined ? E.right(show(answer)) : failure('NoRoot', answer.failed))
          },
          lose: (reason) => resolve(failure('Lost', reason)),
        },
        body,
      )
    })

const look =
  ({ ask, looks }: Asking, folders: ReadonlyArray<string> | undefined): ReturnType<TreeEndpoint['look']> =>
  () =>
    new Promise((resolve) => {
      const found = looks()
      ask(
        { _tag: 'Look', ...defined({ folders }) },
        {
          isLong: true,
          take: ({ end, failed, listed }) => {
            found.add(listed)
            if (end !== true && failed === undefined) return
            const seen = found.end(folders === undefined)
            resolve(failed === undefined ? E.right(seen) : failure('NoRoot', failed))
          },
          lose: (reason) => resolve(failure('Lost', reason)),
        },
      )
    })

async function* read({ ask, early }: Asking, path: string, file: TreeFile): AsyncGenerator<Uint8Array, void> {
  const held = early(file.hash)
  if (held !== undefined) return yield held
  const parts = newParts()
  let trouble: string | undefined
  const stop = (reason: string | undefined): void => {
    trouble ??= reason
    parts.end()
  }
  ask(
    { _tag: 'Read', path, file },
    {
      isLong: true,
      take: async ({ end, failed }, body) => {
        if (body.length > 0) await parts.push(body)
        if (end === true) stop(failed)
      },
      lose: stop,
    },
  )
  yield* parts
  if (trouble !== undefined) throw new Error(trouble)
}

type Sent = { readonly outcome: Promise<ActOutcome> }

/** Sends the content after the act; the outcome follows later. */
const sendAct = async (
  { ask, say }: Asking,
  link: string,
  act: SyncAct,
  content: AsyncIterable<Uint8Array> | undefined,
): Promise<Sent> => {
  let isOver = false
  let started = { id: 0, sent: Promise.resolve() }
  const outcome = new Promise<ActOutcome>((resolve) => {
    started = ask(
      { _tag: 'Act', act },
      {
        isLong: true,
        take: ({ failed = 'it does not say why', outcome: told }) => {
          isOver = true
          resolve(told ?? { _tag: 'Failed', trouble: 'Other', reason: failed })
        },
        lose: (reason, id) => {
          isOver = true
          resolve({ _tag: 'Lost', reason, ticket: ticketOf(link, id) })
        },
      },
    )
  })
  await started.sent
  try {
    for await (const part of content ?? []) {
      if (isOver) break
      await say({ id: started.id }, part)
    }
  } catch {
    // The content is incomplete, so the other end writes nothing.
  }
  await say({ id: started.id, end: true })
  return { outcome }
}

/** Left: the folder cannot be opened. */
export const remoteTree =
  (clock: Pick<Clock, 'every'>, channel: Duplex, folder: Omit<Opening, 'link'>): TE.TaskEither<TreeFailure, OpenTree> =>
  async () => {
    const opening = { ...folder, link: randomUUID() }
    const tellers = new Set<(event: TreeEvent) => void>()
    const talk = asking(clock, channel, (event) => {
      for (const tell of tellers) tell(event)
    })
    let last = Promise.resolve()
    const tree: OpenTree = {
      look: (folders) => look(talk, folders),
      act: (act, content) => async () => {
        const sent = last.then(() => sendAct(talk, opening.link, act, content))
        last = sent.then(() => undefined)
        return (await sent).outcome
      },
      read: (path, file) => read(talk, path, file),
      watch: (onEvent) => {
        tellers.add(onEvent)
        return () => void tellers.delete(onEvent)
      },
      outcomes: (tickets) =>
        asked(talk, { _tag: 'Outcomes', tickets }, ({ outcomes }) =>
          outcomes === undefined || outcomes.length === tickets.length ? outcomes : invalidAnswer(),
        ),
      makeAll: (acts, contents) => asked(talk, { _tag: 'Fill', acts }, ({ left }) => left ?? invalidAnswer(), contents),
      polled: asked(talk, { _tag: 'Polled' }, ({ polled }) => polled),
      marker: asked(talk, { _tag: 'Marker' }, ({ marker }) => marker),
      mark: (marker) => asked(talk, { _tag: 'Mark', marker }, () => undefined),
      close: talk.close,
    }
    return pipe(
      asked(talk, { _tag: 'Open', opening }, () => tree),
      TE.tapError(() => TE.fromIO(talk.close)),
    )()
  }
