/**
 * The sending side of a file transfer: one message per entry, then an empty one; meanwhile the contents of files that
 * the builder requests by number, up to four in parallel, until it says that it is done.
 */
import type { Clock } from '../../../ports/clock.ts'
import type { CallStatus, RpcCall } from '../rpc/call.ts'
import { readMessage } from '../rpc/unreadable.ts'
import { openPace, type Pace } from './pace.ts'
import {
  dataPacket,
  donePacket,
  endOfFilePacket,
  failedPacket,
  lastStatPacket,
  readPacket,
  shorterPacket,
  statPacket,
} from './packet.ts'
import type { Unsendable } from './reason.ts'
import { openRequests, type RequestedFile } from './requests.ts'
import type { Tree } from './tree.ts'
import { takeTurns } from './turns.ts'
import type { Walk } from './walk.ts'

/** Called for each message, with the number of files sent completely so far. */
export type Tally = (bytes: number, files: number) => void

export type Sending = {
  readonly clock: Clock
  readonly tree: Pick<Tree, 'read'>
  readonly walk: Walk
  readonly earliestNs?: bigint | undefined
  readonly tally: Tally
  readonly fail: (why: Unsendable) => void
}

const cancelled = 1
const internal = 13
const atOnce = 4

const brokenBy = (message: string): CallStatus => ({ code: internal, message })

/** The numbers of files that may be requested, once each. A socket has no content and is never opened. */
type Files = { readonly paths: Array<string | undefined>; readonly sockets: Set<number> }

type Transfer = Sending & {
  readonly call: RpcCall
  readonly files: Files
  readonly pace: Pace
  readonly isOver: () => boolean
  /** The first error counts. `undefined` when there is none. */
  readonly end: (status: CallStatus | undefined) => void
  readonly put: (message: Uint8Array, files?: number) => Promise<void> | undefined
}

/** The builder learns of it from the message, the caller from the result. */
const giveUp = ({ fail, put, end, isOver }: Transfer, why: Unsendable): void => {
  if (isOver()) return
  const message = `${why.path}: ${why.cause}`
  fail(why)
  void put(failedPacket(message))
  end(brokenBy(message))
}

const sendList = async (transfer: Transfer, turn: () => Promise<void> | undefined): Promise<void> => {
  const { earliestNs, files, pace, put, isOver, walk } = transfer
  let id = 0
  for (let step = walk.next(); ; step = walk.next()) {
    if (isOver()) return
    if (step.done === true) {
      if (step.value !== undefined) giveUp(transfer, step.value)
      else await put(lastStatPacket)
      return
    }
    const entry = step.value
    if (entry !== undefined) {
      if (entry.kind === 'File' || entry.kind === 'Socket') files.paths[id] = entry.path
      if (entry.kind === 'Socket') files.sockets.add(id)
      id += 1
      const sent = put(statPacket(entry, earliestNs))
      if (sent !== undefined) await sent
      const isAhead = pace.wait(id)
      if (isAhead !== undefined) await isAhead
    }
    const pause = turn()
    if (pause !== undefined) await pause
  }
}

const sendFile = async (transfer: Transfer, { id, path }: RequestedFile): Promise<void> => {
  const { tree, files, put, isOver } = transfer
  const why = files.sockets.has(id)
    ? undefined
    : await tree.read(path, {
        frame: (length) => dataPacket(id, length),
        take: (frame, length, room) => {
          if (isOver()) return false
          const sent = put(shorterPacket(id, frame, length, room))
          return sent === undefined ? true : sent.then(() => true)
        },
      })
  if (isOver()) return
  if (why === undefined) await put(endOfFilePacket(id), 1)
  else giveUp(transfer, why)
}

const receive = async (
  { call, end, files, isOver, put }: Transfer,
  add: (file: RequestedFile) => void,
): Promise<void> => {
  for await (const message of call.messages) {
    if (isOver()) return
    const asked = readMessage({ decode: readPacket }, message)
    switch (asked._tag) {
      case 'Request': {
        const path = files.paths[asked.id]
        if (path === undefined) return end(brokenBy(`there is no file ${asked.id} to send`))
        files.paths[asked.id] = undefined
        add({ id: asked.id, path })
        break
      }
      case 'Done':
        await put(donePacket())
        return end(undefined)
      case 'Failed':
        return end(brokenBy(`the builder gave up: ${asked.message}`))
      case 'Other':
        break
    }
  }
  end({ code: cancelled, message: 'the builder went away' })
}

/** Ends when the builder has all it wants, disconnects, or cannot be served. */
export const sendTree = (call: RpcCall, sending: Sending): Promise<CallStatus | undefined> =>
  new Promise((resolve, reject) => {
    const requests = openRequests()
    const pace = openPace(sending.clock)
    const turn = takeTurns(sending.clock)
    let isOver = false
    const settle = (done: () => void): void => {
      if (isOver) return
      isOver = true
      call.signal.removeEventListener('abort', onAbort)
      requests.end()
      pace.end()
      done()
    }
    const end = (status: CallStatus | undefined): void => settle(() => resolve(status))
    const onAbort = (): void => end({ code: cancelled, message: 'the builder went away' })
    const transfer: Transfer = {
      ...sending,
      call,
      end,
      files: { paths: [], sockets: new Set() },
      pace,
      isOver: () => isOver,
      put: (message, files = 0) => {
        sending.tally(message.length, files)
        return call.send(message)
      },
    }
    const work = async (): Promise<void> => {
      for (let file = await requests.next(); file !== undefined; file = await requests.next()) {
        await sendFile(transfer, file)
        await turn()
      }
    }
    if (call.signal.aborted) return onAbort()
    call.signal.addEventListener('abort', onAbort)
    const workers = Array.from({ length: atOnce }, work)
    const add = (file: RequestedFile): void => {
      pace.asked(file.id)
      requests.add(file)
    }
    Promise.all([sendList(transfer, turn), receive(transfer, add), ...workers]).catch((defect: unknown) =>
      settle(() => reject(defect)),
    )
  })
