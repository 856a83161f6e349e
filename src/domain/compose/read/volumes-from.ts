/** `volumes_from`: the mounts of other services, and what these take from others in turn. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import type { Located } from '../../shape/shape.ts'
import { type Budget, isSpent, spend } from '../../yaml/budget.ts'
import type { ComposeService } from '../model.ts'
import type { Mount } from '../volume-model.ts'
import type { ServiceNames } from './depends-on.ts'
import type { RawService } from './service.ts'
import { type VolumeSource, volumeSource } from './volume-source.ts'

/**
 * What a service offers to others: its mounts, including those that it takes itself. `hasPrivate`: it has anonymous
 * volumes too; `hasHost`: it has host volumes too; `isEmpty`: neither it nor those it takes from have any volume.
 */
type Offer = {
  readonly mounts: ReadonlyArray<Mount>
  readonly hasPrivate: boolean
  readonly hasHost: boolean
  readonly isEmpty: boolean
}

const isShared = ({ _tag }: Mount): boolean => _tag === 'Named' || _tag === 'Image' || _tag === 'HostFiles'

/** A mount has several values, and stands for several in the manifests. */
const valuesOfMount = 8

const findingsOf = (
  { from }: VolumeSource,
  item: Located<string>,
  offer: Offer | undefined,
): ReadonlyArray<Diagnostic> => {
  const place = { at: item.at, path: item.path }
  if (from === undefined) return [warning('DT1110', 'a container outside this file has no volumes here', place)]
  // A service that does not exist or is not enabled is an error of its own.
  if (offer === undefined) return []
  const { hasHost, hasPrivate, isEmpty } = offer
  const name = from.value
  return [
    ...(hasPrivate
      ? [
          warning(
            'DT1110',
            `the anonymous volumes of ${name} are private to it: use a named volume to share data`,
            place,
          ),
        ]
      : []),
    ...(hasHost ? [warning('DT1101', `the host volumes of ${name} are not mounted here either`, place)] : []),
    ...(isEmpty ? [warning('DT1102', `volumes_from has no effect, since ${name} has no volumes`, place)] : []),
  ]
}

type Sources = ReadonlyMap<string, ReadonlyArray<readonly [VolumeSource, Located<string>]>>

/** Every service after those whose mounts it takes. A cycle, which is an error of its own, is cut anywhere. */
const inOrder = (services: ReadonlyArray<ComposeService>, sources: Sources): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const order: Array<string> = []
  const open = services.map(({ name }) => ({ name, isLeft: false })).toReversed()
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (step.isLeft) order.push(step.name)
    if (step.isLeft || seen.has(step.name)) continue
    seen.add(step.name)
    open.push({ ...step, isLeft: true })
    for (const [{ from }] of sources.get(step.name) ?? [])
      if (from !== undefined) open.push({ name: from.value, isLeft: false })
  }
  return order
}

/** The service's own mounts take precedence. */
const withMounts = (service: ComposeService, added: ReadonlyArray<Mount>): ComposeService => {
  if (added.length === 0) return service
  const mounts = [...new Map([...added, ...service.mounts].map((mount) => [mount.target, mount])).values()]
  const volume = added.find(({ _tag }) => _tag === 'Named')
  const kind =
    service.kind._tag === 'Deployment' && volume !== undefined
      ? ({ _tag: 'StatefulSet', at: volume.at } as const)
      : service.kind
  return { ...service, mounts, kind }
}

/** The services with the mounts that they take. Finds DT1006 (too many); warns DT1101, DT1102, DT1110. */
export const shareVolumes = (
  services: ReadonlyArray<ComposeService>,
  raws: ReadonlyMap<string, RawService>,
  containers: ServiceNames['containers'],
  budget: Budget,
): Checked<ReadonlyArray<ComposeService>> => {
  const sources: Sources = new Map(
    services.flatMap(({ name }) => {
      const items = raws.get(name)?.value.volumes_from?.value ?? []
      return items.length === 0 ? [] : [[name, items.map((item) => [volumeSource(item, containers), item] as const)]]
    }),
  )
  if (sources.size === 0) return C.ok(services)
  const complete = new Map(services.map((service) => [service.name, service]))
  const offers = new Map<string, Offer>()
  const found: Array<Diagnostic> = []
  for (const name of inOrder(services, sources)) {
    const own = complete.get(name)
    if (own === undefined) continue
    const added: Array<Mount> = []
    const taken: Array<Offer> = []
    for (const [source, item] of sources.get(name) ?? []) {
      const offer = source.from === undefined ? undefined : offers.get(source.from.value)
      for (const finding of findingsOf(source, item, offer)) found.push(finding)
      if (offer === undefined) continue
      const fault = spend(budget, offer.mounts.length * valuesOfMount, item.at)
      if (fault !== undefined) found.push(fault)
      if (isSpent(budget)) return C.note(services, found)
      taken.push(offer)
      for (const mount of offer.mounts)
        added.push({ ...mount, readOnly: mount.readOnly || source.isReadOnly, at: item.at, path: item.path })
    }
    const service = withMounts(own, added)
    complete.set(name, service)
    const mounts = service.mounts.filter(isShared)
    const hasPrivate = own.mounts.some(({ _tag }) => _tag === 'Anonymous')
    const hasHost = own.hostMounts.length > 0
    const isEmpty = mounts.length === 0 && !hasPrivate && !hasHost && taken.every((offer) => offer.isEmpty)
    offers.set(name, { mounts, hasPrivate, hasHost, isEmpty })
  }
  return C.note(
    services.map((service) => complete.get(service.name) ?? service),
    found,
  )
}
