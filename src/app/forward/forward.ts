/** `forward`: forwards ports of this machine to the pods of a service. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { ForwardList } from '../../domain/forward/document.ts'
import type { ForwardPort } from '../../domain/forward/ports.ts'
import { forwardable, podFor, type Route, routeOf } from '../../domain/forward/route.ts'
import type { ListenFailure } from '../../domain/network/answer.ts'
import { suggestion } from '../../domain/text/suggest.ts'
import type { Listing } from '../../ports/cluster.ts'
import type { ConnectionTarget, Listener } from '../../ports/network.ts'
import type { Ports } from '../../ports/ports.ts'
import { interrupted } from '../concurrency/interrupted.ts'
import type { Target } from '../context/target.ts'
import { findRecord, recordIn } from '../environment/find-record.ts'
import { answer, type Result } from '../result.ts'
import { followPods } from '../watch/pods.ts'
import { connecting, noPod } from './connecting.ts'

/** `opened` is called once this machine listens on all ports. */
export type ForwardRequest = {
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly environment: string
  readonly service: string
  readonly ports: ReadonlyArray<ForwardPort>
  readonly signal: AbortSignal
  readonly opened: (list: ForwardList) => Promise<unknown>
}

type ForwardNeeds = Pick<Ports, 'clock' | 'network' | 'progress'>

const unknownService = ({ environment, service, target }: ForwardRequest, names: ReadonlyArray<string>): Diagnostic => {
  if (names.length === 0) {
    return error('DT3407', `there is no environment "${environment}" in namespace ${target.namespace}`, {
      help: '`devtool list` lists the environments, `devtool deploy` creates one',
    })
  }
  return error('DT3402', `environment ${environment} has no service "${service}"`, {
    help: suggestion(service, names, 'it has none'),
  })
}

const notListening = ({ local, remote }: ForwardPort, { because, text }: ListenFailure): Diagnostic => {
  switch (because) {
    case 'Taken':
      return error('DT3409', `port ${local} of this machine is in use`, {
        help: `:${remote} takes any free port, LOCAL:${remote} one that you choose`,
      })
    case 'Forbidden':
      return error('DT3410', `this user may not listen on port ${local}`, {
        help: `ports below 1024 are often reserved: :${remote} takes any free port, LOCAL:${remote} one that you choose`,
      })
    case 'Broken':
      return error('DT3410', `this machine cannot listen on port ${local}: ${text}`)
  }
}

type FoundRoute = { readonly route: Route; readonly pods: Listing }

const find = (wanted: ForwardRequest): TE.TaskEither<Diagnostic, FoundRoute> => {
  const { environment, service, signal, target } = wanted
  const { cluster, namespace } = target
  const listed = (kind: 'Pod' | 'Service') =>
    TE.mapLeft(failureDiagnostic)(cluster.list({ resource: resources[kind], namespace }, { signal }))
  return pipe(
    TE.Do,
    TE.apS('pods', listed('Pod')),
    TE.apS('services', listed('Service')),
    TE.apS('record', findRecord(target, environment, signal)),
    TE.flatMapEither(({ pods, record, services }) => {
      const names = forwardable(environment, recordIn(record)?.services ?? [], services.items, pods.items)
      if (!names.includes(service)) return E.left(unknownService(wanted, names))
      const live = services.items.find(({ metadata }) => metadata.name === service)
      return E.right({ pods, route: routeOf(environment, service, live) })
    }),
  )
}

const addressOf = ({ port }: Listener): string => `127.0.0.1:${port}`

/** Listens on all ports or none. */
const listenAll = async (
  { network }: ForwardNeeds,
  wanted: ForwardRequest,
  connectTo: (port: number) => ConnectionTarget,
  tell: (text: string) => void,
): Promise<{ readonly listeners: ReadonlyArray<Listener>; readonly findings: ReadonlyArray<Diagnostic> }> => {
  const onRefusal = (cause: string): void => tell(`a connection was not accepted: ${cause}`)
  const opened = await Promise.all(
    wanted.ports.map(({ local, remote }) => network.listen(local, connectTo(remote), onRefusal)()),
  )
  return {
    listeners: opened.flatMap((one) => (one._tag === 'Right' ? [one.right] : [])),
    findings: opened.flatMap((one, at) => {
      const port = wanted.ports[at]
      return one._tag === 'Left' && port !== undefined ? [notListening(port, one.left)] : []
    }),
  }
}

const listDocument = ({ environment, ports, service, target }: ForwardRequest, listeners: ReadonlyArray<Listener>) => ({
  environment,
  namespace: target.namespace,
  service,
  forwards: listeners.map((listener, at) => ({ address: addressOf(listener), port: ports[at]?.remote ?? 0 })),
})

const run = async (
  ports: ForwardNeeds,
  wanted: ForwardRequest,
  { pods, route }: FoundRoute,
): Promise<Result<object>> => {
  const { progress } = ports
  const { signal, target } = wanted
  const stopped = new AbortController()
  const ends = AbortSignal.any([signal, stopped.signal])
  const said = new Set<string>()
  const tell = (text: string): void => {
    if (!said.has(text) && said.add(text)) progress.tell({ _tag: 'Said', text })
  }
  const watched = followPods(
    { ...target, clock: ports.clock, signal: ends, tell: () => tell('the cluster does not respond: retrying') },
    pods,
  )
  const context = { ...target, clock: ports.clock, pods: watched, route, signal: ends, tell, over: () => said.clear() }
  const { findings, listeners } = await listenAll(ports, wanted, connecting(context, wanted.service), tell)
  if (findings.length === 0) {
    if (podFor(route, pods.items, { avoided: new Set(), isStrict: false }) === undefined) tell(noPod(wanted.service))
    await wanted.opened(listDocument(wanted, listeners))
    await interrupted(signal)
  }
  stopped.abort()
  await Promise.all(listeners.map(({ close }) => close()))
  return { findings, value: {} }
}

/** Runs until the signal is aborted. Finds DT3402, DT3407, DT3409, DT3410, and refusals of the cluster. */
export const forward =
  (ports: ForwardNeeds) =>
  (wanted: ForwardRequest): Promise<Result<object>> => {
    const work = pipe(
      find(wanted),
      TE.flatMapTask((found) => () => run(ports, wanted, found)),
    )
    return answer(work)
  }
