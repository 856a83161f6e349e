/** Forwarded ports between this machine and a development container. They stay open while its link is restored. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { textAt } from '../../domain/cluster/json.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { DevContainer, DevForward } from '../../domain/manifest/dev-model.ts'
import type { ListenFailure } from '../../domain/network/answer.ts'
import { leftsOf } from '../../domain/object/lefts.ts'
import type { Placed } from '../../domain/text/written.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Link } from '../../ports/link.ts'
import type { Accepted, Listener } from '../../ports/network.ts'
import type { Ports } from '../../ports/ports.ts'
import { slots } from '../concurrency/slots.ts'
import { keepReverses, type Reversed } from './reverses.ts'
import type { DevSession } from './session.ts'

type Needs = Pick<Ports, 'clock' | 'network'>

type Context = {
  readonly session: DevSession
  readonly cluster: Pick<Cluster, 'list'>
  readonly namespace: string
  readonly signal: AbortSignal
  /** Problems of single connections, each once. */
  readonly tell: (text: string) => void
}

/** `host`: the address to listen on, instead of the common one. */
type Forwarded = Omit<DevForward, keyof Placed> & { readonly host?: string }

export type WantedForwards = {
  readonly forward: ReadonlyArray<Forwarded>
  readonly reverse: ReadonlyArray<Reversed>
  /** The address to listen on. */
  readonly interface: string
}

/** A local port that cannot be listened on. */
export type PortTaken = ListenFailure & { readonly port: number }

/** `ports`: those that this machine listens on, in the requested order. */
type OpenForwards = { readonly ports: ReadonlyArray<number>; readonly close: () => Promise<void> }

/** How many connections are served at once; further ones wait. */
const mostConnections = 512
/** How long a connection waits for a link that is being restored. */
const patienceMs = 3000
/** How long the agent may take to connect: it may be busy, and others may be before this one. */
const answerMs = 30_000

/** The host name of the pod itself, and of this machine. */
const ownHost = 'localhost'
const loopback = '127.0.0.1'

/** The SSH server accepts connections from this machine only, whatever address the other ports listen on. */
export const withSshForward = (
  { remote, ...dev }: WantedForwards & Pick<DevContainer, 'remote'>,
  port: number,
): WantedForwards => ({
  ...dev,
  forward: [...dev.forward, { local: remote?.value ?? 0, remote: port, host: loopback }],
})

/** The current address of a pod. */
const podWith = async (
  { cluster, namespace, signal }: Context,
  labels: NonNullable<Forwarded['labels']>,
): Promise<string | undefined> => {
  const selector = labels.map(({ name, value }) => `${name}=${value}`).join(',')
  const found = pipe(
    cluster.list({ resource: resources.Pod, namespace, labels: selector }, { signal }),
    TE.match(
      () => undefined,
      ({ items }) =>
        items
          .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
          .map((pod) => textAt(pod, 'status', 'podIP'))
          .find((ip) => ip !== undefined),
    ),
  )
  return found()
}

const hostOf = async (context: Context, { labels, service }: Forwarded): Promise<string | undefined> =>
  labels === undefined ? (service ?? ownHost) : podWith(context, labels)

const within = async <A>({ clock }: Pick<Needs, 'clock'>, ms: number, work: Promise<A>): Promise<A | undefined> => {
  let stop = (): void => {}
  const late = new Promise<undefined>((resolve) => {
    stop = clock.after(ms, () => resolve(undefined))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    stop()
  }
}

type Connecting = {
  readonly session: DevSession
  readonly bytes: Accepted['bytes']
  readonly to: { readonly host: string; readonly port: number }
  readonly closed: AbortSignal
}

/** Uses the next link when the current one turns out to be lost. */
const connect = async (needs: Needs, { bytes, closed, session, to }: Connecting): Promise<string | undefined> => {
  for (let lost: Link | undefined; ; ) {
    const found = await within(needs, patienceMs, session.link('bulk', lost, closed)())
    if (bytes.destroyed) return undefined
    if (found === undefined) return `no connection within ${patienceMs / 1000} s`
    if (E.isLeft(found)) return found.left.reason
    const opened = await within(needs, answerMs, found.right.link.forward(bytes, to)())
    if (opened === undefined) return `no answer within ${answerMs / 1000} s`
    if (E.isRight(opened)) return undefined
    if (opened.left._tag === 'Refused') return opened.left.reason
    lost = found.right.link
  }
}

const showTarget = ({ remote, service }: Forwarded): string =>
  service === undefined ? `port ${remote} of the container` : `${service}:${remote}`

const serve = async (needs: Needs, context: Context, forward: Forwarded, accepted: Accepted): Promise<void> => {
  const { bytes, refuse } = accepted
  const { session, tell } = context
  const gone = new AbortController()
  const closed = new Promise<undefined>((resolve) =>
    bytes.once('close', () => {
      // An error with a stack, the default, is made for nobody.
      gone.abort('gone')
      resolve(undefined)
    }),
  )
  const host = await hostOf(context, forward)
  if (host === undefined) {
    tell(`no pod has the labels of the forward of port ${forward.local}`)
    return refuse()
  }
  const connecting = connect(needs, { session, bytes, to: { host, port: forward.remote }, closed: gone.signal })
  // A connection that has gone releases its slot at once: others wait for it.
  const failure = await Promise.race([connecting, closed])
  if (failure === undefined) return closed
  tell(`${showTarget(forward)} cannot be reached: ${failure}`)
  refuse()
}

const hostHere = (host: string): string => (host === ownHost ? loopback : host)

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
      wanted.forward.map((forward) => {
        const opening = pipe(
          network.accept(
            { host: hostHere(forward.host ?? wanted.interface), port: forward.local },
            (accepted) => take(forward, accepted),
            (cause) => tell(`a connection to port ${forward.local} was not accepted: ${cause}`),
          ),
          TE.mapLeft((failure): PortTaken => ({ ...failure, port: forward.local })),
        )
        return opening()
      }),
    )
    const listeners: ReadonlyArray<Listener> = opened.flatMap((one) => (E.isRight(one) ? [one.right] : []))
    const taken = leftsOf(opened)
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

const handover: Backoff = { firstMs: 50, longestMs: 500 }
const handoverMs = 3000

/** A session of this machine that was taken over may still be closing its ports. */
const onceFree =
  ({ clock }: Pick<Needs, 'clock'>, signal: AbortSignal) =>
  (listening: TaskEither<ReadonlyArray<PortTaken>, OpenForwards>): TaskEither<ReadonlyArray<PortTaken>, OpenForwards> =>
  async () => {
    const untilMs = clock.now() + handoverMs
    for (let tried = 0; ; tried += 1) {
      const opened = await listening()
      const isHopeless = E.isRight(opened) || opened.left.some(({ because }) => because !== 'Taken')
      if (isHopeless || signal.aborted || clock.now() >= untilMs) return opened
      await clock.sleep(pauseAfter(handover, tried), signal)
    }
  }

/**
 * Opens all local ports or none, and reverse forwards as soon as there is a link. They are open until closed, or until
 * the session ends.
 */
export const openForwards =
  (needs: Needs) =>
  (context: Context, wanted: WantedForwards): TaskEither<ReadonlyArray<PortTaken>, OpenForwards> => {
    const { signal, tell } = context
    const slot = slots(mostConnections, () => tell(`${mostConnections} connections are open: others wait`))
    const take = (forward: Forwarded, accepted: Accepted): void =>
      void slot(() => serve(needs, context, forward, accepted))
    return pipe(
      onceFree(needs, signal)(listen(needs, { take, tell })(wanted)),
      TE.tapIO(() => () => {
        if (wanted.reverse.length > 0) void keepReverses(needs, context, wanted.reverse)
      }),
    )
  }
