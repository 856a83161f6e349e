/**
 * Channels of ssh2 whose two directions end separately. By default, a server's channel is closed as soon as its writing
 * side ends, `eof()` overtakes queued data, and writing ignores how much the connection has buffered.
 */
import { Socket } from 'node:net'
import { constants } from 'node:os'
import type { Duplex, Readable, Writable } from 'node:stream'
import * as t from 'io-ts'
import type { Channel } from 'ssh2'

/**
 * How much is written and not taken yet, by a channel or by the connection, before the source is paused; a channel's own
 * limit is 2 MiB. Buffers that wait for long outlive the early collections of the agent, and leave its heap in pieces.
 */
const mostHeld = 256 * 1024

/**
 * Sends together what is written in one turn of the event loop. ssh2 writes each packet for itself, which is a system
 * call, and for a pod a message through the API server and the kubelet.
 */
export const gathering = <S extends Writable>(stream: S): S => {
  const write: Writable['write'] = stream.write.bind(stream)
  let isHeld = false
  const release = (): void => {
    isHeld = false
    stream.uncork()
  }
  const hold = (...parts: Parameters<Writable['write']>): boolean => {
    if (!isHeld) {
      isHeld = true
      stream.cork()
      setImmediate(release)
    }
    return write(...parts)
  }
  return Object.assign(stream, { write: hold })
}

/** How a program ended: signals by their names without SIG. */
export const ProgramExit = t.union([
  t.readonly(t.strict({ code: t.number })),
  t.readonly(t.strict({ signal: t.string })),
])
export type ProgramExit = t.TypeOf<typeof ProgramExit>

const numberOf = (signal: string): number =>
  Object.entries(constants.signals).find(([name]) => name === `SIG${signal}`)?.[1] ?? 0

/** As in shells. */
export const statusOf = (exit: ProgramExit): number => ('code' in exit ? exit.code : 128 + numberOf(exit.signal))

/** The flag decides what ssh2 does at the end of a channel, and which methods it allows. */
const actAs = (channel: Channel, side: 'client' | 'server'): void => {
  Object.assign(channel, { server: side === 'server' })
}

/** Copies with back-pressure; the end is left to the caller. `connection`: the socket below the channel. */
export const copyInto = (to: Writable, from: Readable, connection: Writable): void => {
  let held = 0
  let isWaiting = false
  const isFull = (): boolean => to.writableNeedDrain || held > mostHeld
  const goOn = (): void => {
    if (isWaiting || isFull()) return
    if (connection.writableLength <= mostHeld) return void from.resume()
    isWaiting = true
    connection.once('drain', () => {
      isWaiting = false
      goOn()
    })
  }
  from.on('data', (chunk: Buffer) => {
    // Data that nobody takes is still read, since a channel that is not read is never closed.
    if (!to.writable) return
    held += chunk.length
    to.write(chunk, () => {
      held -= chunk.length
      if (from.isPaused()) goOn()
    })
    if (!isFull() && connection.writableLength <= mostHeld) return
    from.pause()
    goOn()
  })
  to.once('close', () => from.resume())
}

/** Ends only our direction. */
const endWriting = (channel: Channel, done: () => void = () => {}): void => {
  actAs(channel, 'client')
  channel.end(done)
}

/** Connects both directions; each ends on its own, and the channel is closed when both have ended. */
export const splice = (socket: Duplex, channel: Channel, connection: Writable): void => {
  actAs(channel, 'client')
  if (socket.destroyed) {
    // Its client did not wait until the channel was open. A channel that is not read is never closed.
    channel.resume()
    return channel.close()
  }
  let ended = 0
  const endOne = (): void => {
    ended += 1
    if (ended === 2) channel.close()
  }
  copyInto(channel, socket, connection)
  copyInto(socket, channel, connection)
  socket.on('end', () => endWriting(channel, endOne))
  channel.on('end', () => {
    socket.end()
    endOne()
  })
  socket.on('error', () => channel.close())
  channel.on('error', () => socket.destroy())
  // A lost connection ends its channels as if all data had been sent.
  const breakOff = (): void => {
    if (socket instanceof Socket) socket.resetAndDestroy()
    else socket.destroy()
  }
  connection.once('close', breakOff)
  socket.once('close', () => connection.off('close', breakOff))
  // After a normal end the channel may still have data to send.
  socket.on('close', () => {
    if (!socket.readableEnded) channel.close()
  })
  channel.on('close', () => socket.destroy())
}

/** Reports how the program ended, after all its output, and closes the channel. */
export const finish = (channel: Channel & { readonly stderr: Writable }, exit: ProgramExit): void => {
  const say = (): void => {
    actAs(channel, 'server')
    if ('code' in exit) Object(channel).exit(exit.code)
    else Object(channel).exit(exit.signal, false, '')
    actAs(channel, 'client')
    channel.end(() => channel.close())
  }
  // An EOF before the exit status would suppress it.
  channel.write('', () => channel.stderr.write('', say))
}
