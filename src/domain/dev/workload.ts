/** The developed workload: the live object, and how it is chosen. */
import * as E from 'fp-ts/lib/Either.js'
import { type JsonObject, listAt, objectAt, textAt } from '../cluster/json.ts'
import { allOf, type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import { resources, showKey } from '../cluster/resources.ts'
import { rightsOn, showRights } from '../cluster/rights.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { KIND_LABEL } from '../k8s/labels.ts'
import type { DevBase, DevWorkload } from '../manifest/dev-model.ts'
import { listed } from '../text/listed.ts'
import type { Placed } from '../text/written.ts'

/** Searched in this order. */
export const devKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'] as const
export type DevKind = (typeof devKinds)[number]

export const devKindOf = ({ kind }: Pick<ClusterObject, 'kind'>): DevKind | undefined =>
  devKinds.find((one) => one === kind)

export const showLive = ({ kind, metadata: { name } }: ClusterObject): string =>
  showKey({ resource: { group: '', version: 'v1', plural: '', kind, isNamespaced: true }, name })

const templatePath = (kind: string): ReadonlyArray<string> =>
  kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec', 'template'] : ['spec', 'template']

export const podSpecOf = (workload: ClusterObject): JsonObject =>
  objectAt(workload, ...templatePath(workload.kind), 'spec')

export const podMetadataOf = (workload: ClusterObject): JsonObject =>
  objectAt(workload, ...templatePath(workload.kind), 'metadata')

const containersOf = (workload: ClusterObject): ReadonlyArray<string> =>
  listAt(podSpecOf(workload), 'containers').flatMap((one) => textAt(one, 'name') ?? [])

const showLabels = (labels: DevBase['labels']): string =>
  labels.map(({ name, value = '' }) => `${name}=${value}`).join(',')

const isMeant =
  (wanted: DevWorkload) =>
  (live: ClusterObject): boolean =>
    wanted._tag === 'Named'
      ? live.metadata.name === wanted.name.value
      : wanted.labels.every(({ name, value = '' }) => labelOf(live, name) === value)

/** Mirrors cannot be developed, nor the Jobs of a CronJob. */
const isDevelopable = (live: ClusterObject): boolean =>
  labelOf(live, KIND_LABEL) !== 'up' && listAt(live, 'metadata', 'ownerReferences').length === 0

const placeOf = ({ workload }: Pick<DevBase, 'workload'>, whole: Placed): Placed =>
  workload._tag === 'Named' ? workload.name : whole

/** DT5054 when it may be of a kind that the user may not list. */
const notFound = (dev: DevBase, observed: Observed): Diagnostic => {
  const { workload } = dev
  const what =
    workload._tag === 'Named' ? `named "${workload.name.value}"` : `with the labels ${showLabels(workload.labels)}`
  const { at, path } = placeOf(dev, dev)
  const unseen = devKinds.filter((kind) => !observed.has(kind)).map((kind) => resources[kind])
  if (unseen.length === 0) {
    const help = 'deploy it first, or correct the name; autocreate: true makes one'
    return error('DT5001', `there is no workload ${what} in the namespace`, { at, path, help })
  }
  const rights = unseen.flatMap(({ group, plural }) => rightsOn({ group, resource: plural }, ['list']))
  const help = `ask a cluster administrator for the permission to ${showRights(rights)}; nothing was changed`
  return error('DT5054', `there is no workload ${what} among those that you may list`, { at, path, help })
}

/**
 * The workload of a `dev` section. DT5001 or DT5054 when there is none, DT5002 when several match. By name, the first
 * kind of `devKinds` wins.
 */
export const chooseWorkload = (dev: DevBase, observed: Observed): E.Either<Diagnostic, ClusterObject> => {
  const { workload } = dev
  const all = devKinds.flatMap((kind) => allOf(observed, kind))
  const [first, ...more] = all.filter(isDevelopable).filter(isMeant(workload))
  if (first === undefined) return E.left(notFound(dev, observed))
  if (workload._tag === 'Named' || more.length === 0) return E.right(first)
  const names = listed([first, ...more].map(showLive))
  const { at, path } = placeOf(dev, dev)
  const help = 'name the workload, or add a label that only one of them has'
  return E.left(error('DT5002', `the labels are those of ${names}`, { at, path, help }))
}

/** The container to develop: the named one, else the first. DT5003 when there is none of that name. */
export const chooseContainer = (dev: DevBase, workload: ClusterObject): E.Either<Diagnostic, string> => {
  const names = containersOf(workload)
  const [first = ''] = names
  const { container } = dev
  if (container === undefined || names.includes(container.value)) return E.right(container?.value ?? first)
  const message = `${showLive(workload)} has no container "${container.value}"`
  const { at, path } = container
  return E.left(error('DT5003', message, { at, path, help: `it has ${listed(names)}` }))
}
