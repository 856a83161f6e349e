/**
 * Connections to ports of pods. Servers from 1.31 on pass SPDY through a WebSocket, as kubectl uses it; older ones speak
 * in channels.
 */
import { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { type Failure, failureDiagnostic } from '../../../domain/cluster/failure.ts'
import { pathOf } from '../../../domain/cluster/resources.ts'
import type { ByteStream, Pods } from '../../../ports/pods.ts'
import type { WebSocketLink } from '../../websocket/link.ts'
import { askedFor } from '../api/paths.ts'
import { channelProtocol, type Forward, type ForwardEvent, forwardOver, tunnelProtocol } from './forward.ts'
import { endingOf, openChannels, type PodApi, podKey } from './open.ts'

/** `ending`: what is to be said of a link that ended, `refusal` of what the server says of the port. */
type Words = {
  readonly ending: (reason: string | undefined) => Failure | undefined
  readonly refusal: (message: string) => Failure
}

const streamOf = (link: WebSocketLink, forward: Forward, { ending, refusal }: Words): ByteStream => {
  const bytes = new Duplex({
    // The kubelet closes both directions when the pod closes its own.
    allowHalfOpen: false,
    read: link.resume,
    write: (chunk: Buffer, _encoding, done) => link.send(forward.frame(chunk), done),
    writev: (chunks, done) => link.send(forward.frame(Buffer.concat(chunks.map(({ chunk }) => chunk))), done),
    final: link.flush,
    destroy: (cause, done) => {
      link.close()
      done(cause)
    },
  })
  // Whoever does not look at the stream looks at `closed`.
  bytes.on('error', () => {})
  const closed = new Promise<Failure | undefined>((resolve) => {
    let isOver = false
    const end = (failure: Failure | undefined): void => {
      if (isOver) return
      isOver = true
      if (failure === undefined) bytes.push(null)
      else bytes.destroy(new Error(failureDiagnostic(failure).message))
      resolve(failure)
    }
    const wantsMore = (event: ForwardEvent): boolean => {
      if (isOver) return true
      if (event._tag === 'Data') return bytes.push(event.bytes)
      if (event._tag === 'Reply') link.send(event.messages, () => {})
      else end(event._tag === 'End' ? undefined : refusal(event.message.trim()))
      return true
    }
    link.listen({
      take: (message) => forward.read(message).map(wantsMore).every(Boolean),
      end: (reason) => end(ending(reason)),
    })
  })
  link.send(forward.begin, () => {})
  return { bytes, closed }
}

export const dialing =
  (api: PodApi): Pods['dial'] =>
  (pod, port, signal) =>
  async () => {
    const key = podKey(pod)
    const asked = askedFor('forward ports of', key)
    const path = `${pathOf(key)}/portforward?ports=${port}`
    const opened = await openChannels(api, { asked, path, protocols: [tunnelProtocol, channelProtocol] }, signal)
    if (E.isLeft(opened)) return opened
    const link = opened.right
    return E.right(
      streamOf(link, forwardOver(link, port), {
        ending: (reason) => endingOf(api, asked, reason, signal),
        refusal: (message) => ({ _tag: 'Refused', asked, status: 0, reason: 'PortForward', message, causes: [] }),
      }),
    )
  }
