/** A builder that requests a folder, without a network; messages are read by the generated code. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import type { CallStatus, RpcCall, RpcService } from '../../../src/adapters/buildkit/rpc/call.ts'
import { fileSync } from '../../../src/adapters/buildkit/sync/service.ts'
import { openWalks } from '../../../src/adapters/buildkit/sync/walks.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Served } from '../../../src/domain/build/solve.ts'
import { type Packet, PacketSchema, type Stat } from './gen/buildkit_pb.ts'

const STAT = 0
const REQUEST = 1
const DATA = 2
const DONE = 3
const FAILED = 4

export type Headers = Readonly<Record<string, string | ReadonlyArray<string>>>

export type SyncOptions = {
  readonly sent: ReadonlyArray<Packet>
  /** Requests the file with this number. */
  readonly request: (id: number) => void
  readonly done: () => void
  readonly failed: (message: string) => void
  /** Disconnects the builder, with or without a reset. */
  readonly hangUp: () => void
  readonly reset: () => void
  /** The entries, once the list is complete or the call has ended. */
  readonly listed: Promise<ReadonlyArray<Stat>>
  /** Resolves when such a packet arrives or the call ends. */
  readonly until: (isIt: (packet: Packet) => boolean) => Promise<void>
  readonly status: Promise<CallStatus | undefined>
  /** The largest number of messages in flight. */
  readonly mostWaiting: () => number
}

/** Bytes over 127 are latin1, as received from the network. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

const channel = (): { readonly messages: AsyncIterable<Uint8Array>; readonly add: (message?: Uint8Array) => void } => {
  const waiting: Array<Uint8Array | undefined> = []
  let wake = (): void => undefined
  return {
    add: (message) => {
      waiting.push(message)
      wake()
    },
    messages: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
          const message = waiting.shift()
          if (message === undefined) return
          yield message
        }
      },
    },
  }
}

/** `slow`: each message is read with a delay. */
export const ask = (service: RpcService, headers: Headers, slow = false): SyncOptions => {
  const gone = new AbortController()
  const { messages, add } = channel()
  const sent: Array<Packet> = []
  let watchers: Array<() => void> = []
  let waiting = 0
  let most = 0
  let isEnded = false
  const notice = (): void => {
    for (const watcher of [...watchers]) watcher()
  }
  const call: RpcCall = {
    header: (name) => [headers[name] ?? []].flat().map(latin1),
    messages,
    send: (message) => {
      if (isEnded) throw new Error('a message after the end')
      sent.push(fromBinary(PacketSchema, message))
      notice()
      if (!slow) return undefined
      waiting += 1
      most = Math.max(most, waiting)
      return new Promise((resolve) => {
        setImmediate(() => {
          waiting -= 1
          resolve()
        })
      })
    },
    signal: gone.signal,
  }
  const handler = service.get('/moby.filesync.v1.FileSync/DiffCopy')
  if (handler === undefined) throw new Error('no such method')
  const status = handler(call).finally(() => {
    isEnded = true
    notice()
    add()
  })
  const until = (isIt: (packet: Packet) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isEnded && !sent.some(isIt)) return
        watchers = watchers.filter((watcher) => watcher !== look)
        resolve()
      }
      watchers.push(look)
      look()
    })
  const packet = (type: number, more: { readonly id?: number; readonly data?: Uint8Array } = {}): void =>
    add(toBinary(PacketSchema, create(PacketSchema, { type, ...more })))
  const listed = until(({ type, stat }) => type === STAT && stat === undefined).then(() => statsIn(sent))
  return {
    sent,
    request: (id) => packet(REQUEST, { id }),
    done: () => packet(DONE),
    failed: (message) => packet(FAILED, { data: new TextEncoder().encode(message) }),
    hangUp: () => add(),
    reset: () => gone.abort(),
    listed,
    until,
    status,
    mostWaiting: () => most,
  }
}

const statsIn = (packets: ReadonlyArray<Packet>): ReadonlyArray<Stat> =>
  packets.flatMap(({ type, stat }) => (type === STAT && stat !== undefined ? [stat] : []))

export const errorIn = (packets: ReadonlyArray<Packet>): string | undefined => {
  const found = packets.find(({ type }) => type === FAILED)
  return found === undefined ? undefined : new TextDecoder().decode(found.data)
}

/** Pieces of a file; the last one is empty once the file is complete. */
export const piecesOf = (packets: ReadonlyArray<Packet>, id: number): ReadonlyArray<Uint8Array> =>
  packets.flatMap((packet) => (packet.type === DATA && packet.id === id ? [packet.data] : []))

export const isEndOf =
  (id: number) =>
  (packet: Packet): boolean =>
    packet.type === DATA && packet.id === id && packet.data.length === 0

export const isDone = ({ type }: Packet): boolean => type === DONE

const isFile = ({ mode, linkname }: Stat): boolean => (mode & 0x8f280000) === 0 && linkname === ''

/** Fetches everything, as a builder with an empty cache does: contents by path. */
export const fetchAll = async (
  asking: SyncOptions,
): Promise<{ readonly stats: ReadonlyArray<Stat>; readonly contents: ReadonlyMap<string, string> }> => {
  const stats = await asking.listed
  const wanted = stats.flatMap((stat, id) => (isFile(stat) ? [{ id, path: stat.path }] : []))
  for (const { id } of wanted) asking.request(id)
  await Promise.all(wanted.map(({ id }) => asking.until(isEndOf(id))))
  asking.done()
  await asking.status
  const contents = wanted.map(
    ({ id, path }) =>
      [path, Buffer.concat(piecesOf(asking.sent, id).map((piece) => Buffer.from(piece))).toString()] as const,
  )
  return { stats, contents: new Map(contents) }
}

type SentSummary = readonly [served: string, files: number, bytes: number]

/** Serves this as `context` to a builder that requests it. `root`: the folder that reading is confined to. */
export const serve = (served: Served, headers: Headers = {}, slow = false, root?: string) => {
  const told: Array<SentSummary> = []
  const failures: Array<{ readonly what: string; readonly cause: string }> = []
  const service = fileSync(
    { served: new Map([['context', served]]), ...(root === undefined ? {} : { root }) },
    { clock: systemClock, walks: openWalks() },
    (...news) => told.push(news),
    ({ what, cause }) => failures.push({ what, cause }),
  )
  const asking = ask(service, { 'dir-name': 'context', ...headers }, slow)
  return { asking, told, failures, service }
}
