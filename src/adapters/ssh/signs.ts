/**
 * Signs of life of the other end. ssh2 asks for them at one interval; here a link is asked often while it is used, and
 * seldom after, since every question wakes both ends.
 */
import type { Duplex } from 'node:stream'
import type { Client } from 'ssh2'
import type { Clock } from '../../ports/clock.ts'

/** A link without a sign of life for that long is lost. */
const silentMs = 5_400
const seldomMs = 1_800
/** Signs of life count as use only where nobody asked for them. */
const usedForMs = 30_000

export type SignsClock = Pick<Clock, 'now' | 'after'>

/** Begins when the link is ready and ends with it. `oftenMs`: until a used link that is quiet is asked. */
export const askForSigns = (clock: SignsClock, client: Client, bytes: Duplex, oftenMs = seldomMs): void => {
  // What ssh2's own `keepaliveInterval` uses.
  const { _callbacks: answers, _protocol: protocol } = Object(client)
  let [heardMs, usedMs, waitedMs] = [clock.now(), clock.now(), 0]
  let isAsked = false

  // On a busy link, answers wait behind the data.
  bytes.on('data', () => {
    heardMs = clock.now()
    if (!isAsked) usedMs = heardMs
    isAsked = false
    waitedMs = 0
  })

  const ask = (): void => {
    isAsked = true
    answers.push(() => {})
    protocol.ping()
  }
  const look = (afterMs: number): void => {
    // Not by the clock: a machine that was suspended has not waited.
    waitedMs += afterMs
    const now = clock.now()
    const everyMs = now - usedMs < usedForMs ? oftenMs : seldomMs
    const quietMs = isAsked ? everyMs : now - heardMs
    if (isAsked && waitedMs >= silentMs) {
      client.emit('error', new Error('no sign of life'))
      bytes.destroy()
    } else if (quietMs < everyMs) wait(everyMs - quietMs)
    else {
      if (bytes.writable) ask()
      wait(everyMs)
    }
  }
  let stop: (() => void) | undefined
  const wait = (ms: number): void => {
    stop = clock.after(ms, () => look(ms))
  }
  wait(oftenMs)
  client.once('close', () => stop?.())
}
