/** Ports between this machine and a development container. They stay open while its link is being made again. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { textAt } from '../../domain/cluster/json.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { DevForward } from '../../domain/manifest/dev-model.ts'
import type { ListenFailure } from '../../domain/network/answer.ts'
import type { Placed } from '../../domain/text/written.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Link } from '../../ports/link.ts'
import type { Accepted, Listener } from '../../ports/network.ts'
import type { Ports } from '../../ports/ports.ts'
import { slots } from '../concurrency/slots.ts'
import { keepReverses, type Reversed } from './reverses.ts'
import type { DevSession } from './session.ts'

type Needs = Pick<Ports, 'clock' | 'network'>

type Around = {
  readonly session: DevSession
  readonly cluster: Pick<Cluster, 'list'>
  readonly namespace: string
  readonly signal: AbortSignal
  /** What goes wrong with single connections, once each. */
  readonly tell: (text: string) => void
}

type Forwarded = Omit<DevForward, keyof Placed>

export type WantedForwards = {
  readonly forward: ReadonlyArray<Forwarded>
  readonly reverse: ReadonlyArray<Reversed>
  /** The address to listen on. */
  readonly interface: string
}

/** A local port that cannot be listened on. */
export type PortTaken = ListenFailure & { readonly port: number }

/** `ports`: those that this machine listens on, in the order in which they were asked for. */
type OpenForwards = { readonly ports: ReadonlyArray<number>; readonly close: () => Promise<void> }

/** So many connections are served at once; others wait for their turn. */
const mostConnections = 256
/** How long a connection waits for a link that is being made again. */
const patienceMs = 3000

/** As the pod sees itself, and as this machine does. */
const ownHost = 'localhost'
const loopback = '127.0.0.1'

/** The address of a pod, as it is now. */
const podWith = async (
  { cluster, namespace, signal }: Around,
  labels: NonNullable<Forwarded['labels']>,
): Promise<string | undefined> => {
  const selector = labels.map(({ name, value }) => `${name}=${value}`).join(',')
  const listed = await cluster.list({ resource: resources.Pod, namespace, labels: selector }, { signal })()
  if (E.isLeft(listed)) return undefined
  return listed.right.items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((pod) => textAt(pod, 'status', 'podIP'))
    .find((ip) => ip !== undefined)
}

const hostOf = async (around: Around, { labels, service }: Forwarded): Promise<string | undefined> =>
  labels === undefined ? (service ?? ownHost) : podWith(around, labels)

/** Over the next link when the one there is turns out to be lost. */
const connect = async (
  session: DevSession,
  bytes: Accepted['bytes'],
  to: { readonly host: string; readonly port: number },
): Promise<string | undefined> => {
  for (let lost: Link | undefined; ; ) {
    const found = await session.link('bulk', lost)()
    if (E.isLeft(found)) return found.left.reason
    if (bytes.destroyed) return 'there was no link in time'
    const opened = await found.right.link.forward(bytes, to)()
    if (E.isRight(opened)) return undefined
    if (opened.left._tag === 'Refused') return opened.left.reason
    lost = found.right.link
  }
}

const serve = async (needs: Needs, around: Around, forward: Forwarded, accepted: Accepted): Promise<void> => {
  const { bytes, refuse } = accepted
  const { session, tell } = around
  const closed = new Promise<void>((resolve) => bytes.once('close', () => resolve()))
  const host = await hostOf(around, forward)
  if (host === undefined) {
    tell(`no pod has the labels of the forward of port ${forward.local}`)
    return refuse()
  }
  const stop = needs.clock.after(patienceMs, refuse)
  const failure = await connect(session, bytes, { host, port: forward.remote })
  stop()
  if (failure === undefined) return closed
  tell(`${forward.service ?? ''}:${forward.remote} cannot be reached: ${failure}`)
  refuse()
}

type Listening = {
  readonly tell: (text: string) => void
  readonly take: (forward: Forwarded, accepted: Accepted) => void
}

/** All local ports or none. */
const listen =
  ({ network }: Pick<Needs, 'network'>, { take, tell }: Listening) =>
  (wanted: Omit<WantedForwards, 'reverse'>): TaskEither<ReadonlyArray<PortTaken>, OpenForwards> =>
  async () => {
    const opened = await Promise.all(
      wanted.forward.map(async (forward) => ({
        port: forward.local,
        result: await network.accept(
          { host: wanted.interface === ownHost ? loopback : wanted.interface, port: forward.local },
          (accepted) => take(forward, accepted),
          (cause) => tell(`a connection to port ${forward.local} was not accepted: ${cause}`),
        )(),
      })),
    )
    const listeners: ReadonlyArray<Listener> = opened.flatMap(({ result }) => (E.isRight(result) ? [result.right] : []))
    const taken = opened.flatMap(({ port, result }) => (E.isLeft(result) ? [{ ...result.left, port }] : []))
    const close = async (): Promise<void> => {
      await Promise.all(listeners.map((listener) => listener.close()))
    }
    if (taken.length === 0) return E.right({ ports: listeners.map(({ port }) => port), close })
    await close()
    return E.left(taken)
  }

/** Whether this machine can listen on all local ports now. */
export const tryForwards =
  (needs: Pick<Needs, 'network'>) =>
  (wanted: WantedForwards): TaskEither<ReadonlyArray<PortTaken>, void> =>
    pipe(
      listen(needs, { take: (_forward, { bytes }) => void bytes.destroy(), tell: () => {} })(wanted),
      TE.flatMap(({ close }) => TE.fromTask(close)),
    )

/** All local ports or none, and reverses as soon as there is a link. Until it is closed, or the session ends. */
export const openForwards =
  (needs: Needs) =>
  (around: Around, wanted: WantedForwards): TaskEither<ReadonlyArray<PortTaken>, OpenForwards> => {
    const { tell } = around
    const slot = slots(mostConnections, () => tell(`${mostConnections} connections are open: others wait`))
    return pipe(
      listen(needs, { take: (forward, accepted) => void slot(() => serve(needs, around, forward, accepted)), tell })(
        wanted,
      ),
      TE.tapIO(() => () => {
        if (wanted.reverse.length > 0) void keepReverses(needs, around, wanted.reverse)
      }),
    )
  }
