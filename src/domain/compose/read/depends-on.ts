/** What must run before a service: `depends_on`, and the order implied by `links` and `volumes_from`. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { choose } from '../../shape/parse.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import { cycleText } from '../../text/cycle.ts'
import { didYouMean } from '../../text/suggest.ts'
import type { service } from '../fields/service.ts'
import type { Condition, ServiceDependency } from '../model.ts'
import { volumeSource } from './volume-source.ts'

type RawService = ValueOf<typeof service>['value']

/**
 * The names of a file's services: all of them, the enabled ones, and those that `container_name` gives another name.
 */
export type ServiceNames = {
  readonly all: ReadonlySet<string>
  readonly enabled: ReadonlySet<string>
  readonly containers: ReadonlyMap<string, string>
}

const conditions = {
  service_started: 'service_started',
  service_healthy: 'service_healthy',
  service_completed_successfully: 'service_completed_successfully',
} as const

/** `name` is where the service is named; `at` of a dependency is its condition, if it has one. */
type WantedDependency = ServiceDependency & { readonly isRequired: boolean; readonly name: ServiceDependency['at'] }

const readCondition = (written: Located<string> | undefined): Checked<Condition> => {
  if (written === undefined) return C.ok('service_started')
  const read = choose('condition', conditions)(written)
  if (read._tag !== 'Left') return C.ok(read.right.value)
  return C.fail({ ...read.left[0], code: 'DT1012' })
}

const ofDependsOn = (raw: RawService): Checked<ReadonlyArray<WantedDependency>> =>
  C.each((item: NonNullable<RawService['depends_on']>['value'][number]): Checked<WantedDependency> => {
    if (!('key' in item)) {
      return C.ok({
        service: item.value,
        condition: 'service_started',
        isRequired: true,
        at: item.at,
        name: item.at,
        path: item.path,
      })
    }
    const { key, value } = item
    return C.map(
      (condition: Condition): WantedDependency => ({
        service: key.text,
        condition,
        isRequired: value?.value.required?.value ?? true,
        at: value?.value.condition?.at ?? key,
        name: key,
        path: raw.depends_on?.path ?? '',
      }),
    )(readCondition(value?.value.condition))
  })(raw.depends_on?.value ?? [])

/** The services named by `links` or `volumes_from`; `nameOf` an item is nothing for a container outside the file. */
const ofNames = (
  list: RawService['links'],
  nameOf: (item: Located<string>) => string | undefined,
): ReadonlyArray<WantedDependency> =>
  (list?.value ?? []).flatMap((item): ReadonlyArray<WantedDependency> => {
    const service = nameOf(item)
    if (service === undefined) return []
    return [{ service, condition: 'service_started', isRequired: true, at: item.at, name: item.at, path: item.path }]
  })

const linked = ({ value }: Located<string>): string | undefined =>
  value.startsWith('container:') ? undefined : (value.split(':')[0] ?? '')

/** An unknown service, with the name that was probably meant. */
export const unknownService = (
  name: string,
  place: { readonly at: ServiceDependency['at']; readonly path: string },
  all: ReadonlySet<string>,
): Diagnostic =>
  error('DT1013', `there is no service "${name}"`, {
    at: place.at,
    path: place.path,
    help: () => didYouMean(name, all, 'name a service of this file'),
  })

/**
 * Each service once, with its condition if `depends_on` lists it. Finds DT1012, DT1013, DT1014 (itself), DT1037 (not
 * enabled).
 */
export const readDependsOn = (
  raw: RawService,
  name: string,
  names: ServiceNames,
): Checked<ReadonlyArray<ServiceDependency>> =>
  C.andThen((listed: ReadonlyArray<WantedDependency>) => {
    const found: Array<Diagnostic> = []
    const kept = new Map<string, ServiceDependency>()
    for (const { isRequired, name: at, ...wanted } of [
      ...listed,
      ...ofNames(raw.links, linked),
      ...ofNames(raw.volumes_from, (item) => volumeSource(item, names.containers).from?.value),
    ]) {
      const place = { at, path: wanted.path }
      if (!names.all.has(wanted.service)) found.push(unknownService(wanted.service, place, names.all))
      else if (wanted.service === name) found.push(error('DT1014', `${name} depends on itself`, place))
      else if (names.enabled.has(wanted.service)) {
        if (!kept.has(wanted.service)) kept.set(wanted.service, wanted)
      } else if (isRequired) {
        found.push(
          error('DT1037', `"${wanted.service}" is not enabled by the active profiles`, {
            ...place,
            help: 'enable it with --profile, or write required: false',
          }),
        )
      }
    }
    return C.note([...kept.values()], found)
  })(ofDependsOn(raw))

type Node = { readonly name: string; readonly dependsOn: ReadonlyArray<ServiceDependency> }

/** DT1014 for services that wait for each other, once for each cycle. */
export const findRings = (services: ReadonlyArray<Node>): ReadonlyArray<Diagnostic> => {
  const byName = new Map(services.map((node) => [node.name, node]))
  /** The position of a service on the current path; `done` once everything behind it has been visited. */
  const state = new Map<string, number | 'done'>()
  const found: Array<Diagnostic> = []
  for (const start of services) {
    if (state.has(start.name)) continue
    const way: Array<{ readonly node: Node; next: number }> = [{ node: start, next: 0 }]
    const names = [start.name]
    state.set(start.name, 0)
    for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
      const edge = step.node.dependsOn[step.next]
      step.next += 1
      if (edge === undefined) {
        state.set(step.node.name, 'done')
        way.pop()
        names.pop()
        continue
      }
      const target = byName.get(edge.service)
      if (target === undefined) continue
      const seen = state.get(target.name)
      if (typeof seen === 'number') {
        found.push(
          error('DT1014', `dependency cycle: ${cycleText(names, seen)}`, {
            at: edge.at,
            path: edge.path,
            help: 'remove one of them',
          }),
        )
      } else if (seen === undefined) {
        state.set(target.name, way.length)
        way.push({ node: target, next: 0 })
        names.push(target.name)
      }
    }
  }
  return found
}
