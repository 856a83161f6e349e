/** The progress of a deploy: one line per service, one for shared objects, one per deletion. */
import { SERVICE_LABEL } from '../../domain/k8s/labels.ts'
import type { KubeObject } from '../../domain/k8s/types.ts'
import { type Action, fold, partition } from '../../domain/plan/action.ts'
import type { StepState } from '../../domain/progress/event.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'

export type ServiceProgress = {
  readonly applying: (service: string) => void
  readonly applied: (service: string) => void
  /** The service is already as wanted: nothing was sent. */
  readonly unchanged: (service: string) => void
  readonly told: (service: string, detail: string) => void
  readonly met: (wanted: Action<'Await'>, detail: string) => void
  readonly failed: (service: string, detail: string) => void
  /** The line of one object. */
  readonly object: (name: string, state: StepState, detail: string) => void
  /** Marks the lines that are not done yet as skipped. */
  readonly skipRest: (detail: string) => void
}

const SHARED = 'configuration and volumes'

type Line = { applies: number; awaits: number; isChanged: boolean; state: StepState; detail: string }

export const serviceOf = ({ metadata }: KubeObject): string => metadata.labels?.get(SERVICE_LABEL) ?? ''

/** The line that an action belongs to. Some actions on a single object have a line of their own. */
const lineOf = fold<string | undefined>({
  Apply: ({ object }) => serviceOf(object),
  Create: () => undefined,
  Delete: () => undefined,
  Await: ({ service }) => service,
  Scale: () => undefined,
  Patch: () => undefined,
})

/** What a service waits for before it is applied: `waiting for db`. */
const waitsFor = (actions: ReadonlyArray<Action>): ReadonlyMap<string, string> => {
  const { Apply, Await } = partition(actions)
  const awaits = new Map(Await.map(({ id, service }) => [id, service]))
  const waits = new Map<string, Set<string>>()
  for (const { after, object } of Apply) {
    const service = serviceOf(object)
    for (const id of after) {
      const other = awaits.get(id)
      if (other !== undefined) waits.set(service, (waits.get(service) ?? new Set<string>()).add(other))
    }
  }
  return new Map([...waits].map(([service, others]) => [service, `waiting for ${[...others].join(', ')}`]))
}

const countBy = <A>(items: ReadonlyArray<A>, nameOf: (item: A) => string | undefined): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const name of items.map(nameOf)) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** `1 of 1 ready, waiting to be available` would be confusing once it is done. */
const endOf = (detail: string): string => (detail === 'applying' ? '' : (detail.split(',')[0] ?? ''))

type ProgressNeeds = { readonly clock: Clock; readonly progress: Progress }

const teller =
  ({ clock, progress }: ProgressNeeds) =>
  (id: string, state: StepState, detail: string): void =>
    progress.tell({ _tag: 'Step', id, title: id === '' ? SHARED : id, state, detail, atMs: clock.now() })

/** These objects are already as wanted, all of their services included. */
export const tellUnchanged = (ports: ProgressNeeds, objects: ReadonlyArray<KubeObject>): void => {
  const tell = teller(ports)
  for (const service of new Set(objects.map(serviceOf))) tell(service, 'Done', 'unchanged')
}

export const makeServiceProgress = (ports: ProgressNeeds, actions: ReadonlyArray<Action>): ServiceProgress => {
  const waits = waitsFor(actions)
  const { Apply, Await } = partition(actions)
  const [applies, awaits] = [countBy(Apply, lineOf), countBy(Await, lineOf)]
  const lines = new Map<string, Line>()
  for (const name of actions.map(lineOf)) {
    if (name === undefined) continue
    const [toApply, toAwait] = [applies.get(name) ?? 0, awaits.get(name) ?? 0]
    lines.set(name, {
      applies: toApply,
      awaits: toAwait,
      isChanged: false,
      state: 'Waiting',
      detail: waits.get(name) ?? '',
    })
  }
  const tell = teller(ports)
  const turn = (service: string, state: StepState, detail: string): void => {
    const line = lines.get(service)
    if (line === undefined || line.state === 'Failed' || (line.state === state && line.detail === detail)) return
    line.state = state
    line.detail = detail
    tell(service, state, detail)
  }
  const settle = (service: string): void => {
    const line = lines.get(service)
    if (line === undefined) return
    if (line.applies <= 0 && line.awaits <= 0) turn(service, 'Done', endOf(line.detail))
    else if (line.applies <= 0) turn(service, 'Running', line.detail)
  }
  const applied = (service: string, isChanged: boolean): void => {
    const line = lines.get(service)
    if (line === undefined) return
    line.applies -= 1
    line.isChanged ||= isChanged
    if (line.applies <= 0 && line.awaits <= 0 && !line.isChanged) turn(service, 'Done', 'unchanged')
    else settle(service)
  }
  for (const [service, { state, detail }] of lines) tell(service, state, detail)
  return {
    applying: (service) => turn(service, 'Running', 'applying'),
    applied: (service) => applied(service, true),
    unchanged: (service) => applied(service, false),
    told: (service, detail) => {
      const line = lines.get(service)
      if (line !== undefined && line.applies <= 0) turn(service, 'Running', detail)
    },
    met: ({ condition, service }, detail) => {
      const line = lines.get(service)
      if (line === undefined) return
      line.awaits -= 1
      if (line.state !== 'Failed') line.detail = condition === 'service_completed_successfully' ? 'completed' : detail
      settle(service)
    },
    failed: (service, detail) => turn(service, 'Failed', detail),
    object: tell,
    skipRest: (detail) => {
      for (const [service, { state }] of lines) {
        if (state === 'Waiting' || state === 'Running') turn(service, 'Skipped', detail)
      }
    },
  }
}
