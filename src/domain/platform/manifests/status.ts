/** Whether an installation works, from its objects. */
import * as t from 'io-ts'
import { listAt, numberAt } from '../../cluster/json.ts'
import type { ClusterObject } from '../../cluster/live.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { type DataOf, document } from '../../print/document.ts'
import { isUserId, SYSTEM_NAMESPACE } from '../names.ts'
import { PLATFORM_ENVIRONMENT, urlOf } from './installation.ts'
import { policiesFor } from './policies.ts'
import { type InstalledObjects, readInstallation } from './read-installation.ts'

export const PlatformStatusDocument = document('platform status', 'The platform of a cluster, and whether it works.', {
  url: [t.string, 'where users reach it'],
  image: [t.string, 'of its programs'],
  ready: [t.number, 'pods that serve requests'],
  wanted: [t.number, 'pods that should'],
  policies: [t.readonlyArray(t.string), 'admission policies that are in effect'],
  users: [t.number, 'accounts of users'],
  namespaces: [t.number, 'namespaces of users'],
})
export type PlatformStatus = DataOf<typeof PlatformStatusDocument>

type Seen = InstalledObjects & {
  readonly bindings: ReadonlyArray<ClusterObject>
  readonly users: ReadonlyArray<ClusterObject>
  readonly namespaces: ReadonlyArray<ClusterObject>
}

/** DT6307 when pods are not ready, or a policy is not in effect. */
export const platformStatus = (
  seen: Seen,
): { readonly findings: ReadonlyArray<Diagnostic>; readonly value: PlatformStatus } => {
  const installation = readInstallation(seen)
  const inEffect = seen.bindings
    .filter((live) => listAt(live, 'spec', 'validationActions').includes('Deny'))
    .map(({ metadata: { name } }) => name)
    .toSorted()
  const missing = policiesFor(installation.domain)
    .map(({ metadata: { name } }) => name)
    .filter((name) => !inEffect.includes(name))
  const ready = numberAt(seen.deployment, 'status', 'readyReplicas') ?? 0
  const wanted = numberAt(seen.deployment, 'spec', 'replicas') ?? 0
  const findings = [
    ...(ready < wanted
      ? [
          error('DT6307', `${ready} of ${wanted} pods of the platform are ready`, {
            help: `see \`devtool why --name ${PLATFORM_ENVIRONMENT} --namespace ${SYSTEM_NAMESPACE}\``,
          }),
        ]
      : []),
    ...(missing.length > 0
      ? [
          error('DT6307', `admission policies are not in effect: ${missing.join(', ')}`, {
            help: 'put them into effect with `devtool platform upgrade`',
          }),
        ]
      : []),
  ]
  const users = seen.users.filter(({ metadata: { name } }) => isUserId(name)).length
  const value = {
    url: urlOf(installation),
    image: installation.image,
    ready,
    wanted,
    policies: inEffect,
    users,
    namespaces: seen.namespaces.length,
  }
  return { findings, value }
}
