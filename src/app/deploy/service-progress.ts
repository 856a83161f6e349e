/** What is shown while changes are carried out: one line a service, one for what all share, one for each deletion. */
import { SERVICE_LABEL } from '../../domain/k8s/labels.ts'
import type { Await, Change } from '../../domain/plan/change.ts'
import type { StepState } from '../../domain/progress/event.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Progress } from '../../ports/progress.ts'

export type Board = {
  readonly applying: (service: string) => void
  readonly applied: (service: string) => void
  readonly told: (service: string, detail: string) => void
  readonly met: (wanted: Await, detail: string) => void
  readonly failed: (service: string, detail: string) => void
  readonly removing: (name: string, because: string, detail: string) => void
  readonly removed: (name: string) => void
  /** Those that are not done. */
  readonly skipRest: (detail: string) => void
}

const SHARED = 'configuration and volumes'

type Line = { applies: number; awaits: number; state: StepState; detail: string }

const awaitsOf = (change: Change): string | undefined => (change._tag === 'Await' ? change.service : undefined)

const appliesOf = (change: Change): string | undefined =>
  change._tag === 'Apply' ? (change.object.metadata.labels?.get(SERVICE_LABEL) ?? '') : undefined

/** What a service waits for before it is applied: `waiting for db`. */
const waitsFor = (changes: ReadonlyArray<Change>): ReadonlyMap<string, string> => {
  const awaits = new Map(changes.flatMap((change) => (change._tag === 'Await' ? [[change.id, change.service]] : [])))
  const waits = new Map<string, Set<string>>()
  for (const change of changes) {
    const service = appliesOf(change)
    if (service === undefined) continue
    for (const id of change.after) {
      const other = awaits.get(id)
      if (other !== undefined) waits.set(service, (waits.get(service) ?? new Set<string>()).add(other))
    }
  }
  return new Map([...waits].map(([service, others]) => [service, `waiting for ${[...others].join(', ')}`]))
}

/** `1 of 1 ready, waiting to be available` says too much of what is done. */
const endOf = (detail: string): string => (detail === 'applying' ? '' : (detail.split(',')[0] ?? ''))

export const makeBoard = (
  { clock, progress }: { readonly clock: Clock; readonly progress: Progress },
  changes: ReadonlyArray<Change>,
): Board => {
  const lines = new Map<string, Line>()
  const waits = waitsFor(changes)
  for (const change of changes) {
    const name = appliesOf(change) ?? awaitsOf(change)
    if (name === undefined) continue
    const line = lines.get(name) ?? { applies: 0, awaits: 0, state: 'Waiting', detail: waits.get(name) ?? '' }
    if (change._tag === 'Apply') line.applies += 1
    else line.awaits += 1
    lines.set(name, line)
  }
  const tell = (id: string, state: StepState, detail: string): void =>
    progress.tell({ _tag: 'Step', id, title: id === '' ? SHARED : id, state, detail, atMs: clock.now() })
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
  for (const [service, { state, detail }] of lines) tell(service, state, detail)
  return {
    applying: (service) => turn(service, 'Running', 'applying'),
    applied: (service) => {
      const line = lines.get(service)
      if (line !== undefined) line.applies -= 1
      settle(service)
    },
    told: (service, detail) => {
      const line = lines.get(service)
      if (line !== undefined && line.applies <= 0) turn(service, 'Running', detail)
    },
    met: ({ goal, service }, detail) => {
      const line = lines.get(service)
      if (line === undefined) return
      line.awaits -= 1
      if (line.state !== 'Failed') line.detail = goal === 'service_completed_successfully' ? 'completed' : detail
      settle(service)
    },
    failed: (service, detail) => turn(service, 'Failed', detail),
    removing: (name, because, detail) => tell(name, 'Running', `${because}: ${detail}`),
    removed: (name) => tell(name, 'Done', 'deleted'),
    skipRest: (detail) => {
      for (const [service, { state }] of lines) {
        if (state === 'Waiting' || state === 'Running') turn(service, 'Skipped', detail)
      }
    },
  }
}
