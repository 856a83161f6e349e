/**
 * Connections to ports of pods. Servers from 1.31 on tunnel SPDY through a WebSocket, as kubectl does; older ones use
 * channels.
 */
import { setMaxListeners } from 'node:events'
import { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { type ApiRequest, type Failure, failureDiagnostic } from '../../../domain/cluster/failure.ts'
import type { ByteStream, Pods } from '../../../ports/pods.ts'
import { askedFor } from '../api/paths.ts'
import { noMoreStreams } from './forward.ts'
import { endingOf, type PodApi, podKey } from './open.ts'
import type { Tunnel } from './tunnel.ts'
import { type TunnelLease, tunnelsOf } from './tunnels.ts'

/** How much is buffered for a slow reader before the link is paused for all its connections. */
const heldBytes = 256 * 1024

/** `ending`: the failure when the link ends, `refusal`: the failure when the server refuses the port. */
type FailureTexts = {
  readonly ending: (reason: string | undefined) => Failure | undefined
  readonly refusal: (message: string) => Failure
}

type Lasting = { readonly signal: AbortSignal; readonly aborted: Failure; readonly release: () => void }

/** `accepted` resolves when it is accepted or has ended. */
type Opened = { readonly stream: ByteStream; readonly accepted: Promise<unknown> }

/** `undefined` when the tunnel accepts no more streams. */
const streamOn = (
  tunnel: Tunnel,
  port: number,
  { ending, refusal }: FailureTexts,
  { aborted, release, signal }: Lasting,
): Opened | undefined => {
  let settle = (_failure: Failure | undefined): void => {}
  const closed = new Promise<Failure | undefined>((resolve) => {
    settle = resolve
  })
  let accept = (): void => {}
  const accepted = new Promise<void>((resolve) => {
    accept = resolve
  })
  const fail = (failure: Failure): void => {
    settle(failure)
    bytes.destroy(new Error(failureDiagnostic(failure).message))
  }
  const finish = (): void => {
    settle(undefined)
    bytes.push(null)
  }
  const sender = tunnel.open(port, {
    accept,
    take: (part) => bytes.push(part),
    refuse: (message) => fail(refusal(message)),
    end: (reason) => {
      const failure = ending(reason)
      if (failure === undefined) finish()
      else fail(failure)
    },
  })
  if (sender === undefined) return undefined
  const abort = (): void => fail(aborted)
  const bytes: Duplex = new Duplex({
    // The kubelet closes both directions when the pod closes its own.
    allowHalfOpen: false,
    readableHighWaterMark: heldBytes,
    read: sender.askForMore,
    write: (chunk: Buffer, _encoding, done) => sender.send(chunk, done),
    writev: (chunks, done) => sender.send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done),
    final: sender.flush,
    destroy: (cause, done) => {
      signal.removeEventListener('abort', abort)
      sender.close()
      release()
      settle(undefined)
      done(cause)
    },
  })
  // Errors are reported by `closed`, so the stream itself needs no listener.
  bytes.on('error', () => {})
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  return { stream: { bytes, closed }, accepted: Promise.race([accepted, closed]) }
}

const refused = (asked: ApiRequest, message: string): Failure => ({
  _tag: 'Refused',
  asked,
  status: 0,
  reason: 'PortForward',
  message,
  causes: [],
})

/** The tunnel, unless the signal comes first. */
const readyWithin =
  ({ ready }: TunnelLease, signal: AbortSignal, aborted: Failure): TunnelLease['ready'] =>
  () =>
    new Promise((resolve, reject) => {
      const stop = (): void => resolve(E.left(aborted))
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
      ready()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', stop))
    })

/**
 * How long a pod may take to accept a connection on a shared link. Data of other connections may come first, and holds
 * it up when their pods do not read.
 */
const acceptMs = 2_000

const isAcceptedSoon = async ({ accepted }: Opened, { clock }: PodApi): Promise<boolean> => {
  const known = new AbortController()
  try {
    const late = clock.sleep(acceptMs, known.signal).then(() => false)
    return await Promise.race([accepted.then(() => true), late])
  } finally {
    known.abort()
  }
}

export const dialing = (api: PodApi): Pods['dial'] => {
  const tunnelTo = tunnelsOf(api)
  return (pod, port, signal) => async () => {
    const asked = askedFor('forward ports of', podKey(pod))
    const aborted: Failure = { _tag: 'Aborted', asked }
    const words: FailureTexts = {
      ending: (reason) => endingOf(api, asked, reason, signal),
      refusal: (message) => refused(asked, message),
    }
    // Many connections may end with one signal, which is no leak.
    setMaxListeners(0, signal)
    for (;;) {
      const taken = tunnelTo(pod, port, asked)
      const tunnel = await readyWithin(taken, signal, aborted)()
      if (E.isLeft(tunnel)) {
        taken.release()
        return tunnel
      }
      const opened = streamOn(tunnel.right, port, words, { signal, aborted, release: taken.release })
      if (opened === undefined) {
        taken.release()
        if (taken.isNew) return E.left(refused(asked, noMoreStreams))
      } else {
        if (taken.isNew || (await isAcceptedSoon(opened, api))) return E.right(opened.stream)
        opened.stream.bytes.destroy()
        tunnel.right.avoid()
      }
    }
  }
}
