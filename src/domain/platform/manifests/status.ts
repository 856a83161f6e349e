/** The state of an installation, from its objects. */
import * as t from 'io-ts'
import { listAt } from '../../cluster/json.ts'
import type { ClusterObject } from '../../cluster/live.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { type DataOf, document } from '../../print/document.ts'
import { isUserId } from '../names.ts'
import { urlOf } from './installation.ts'
import { policiesFor } from './policies.ts'
import { ProgramStatus, programFault, programStatus, type SeenNamespace } from './program-status.ts'
import { type InstalledObjects, readInstallation } from './read-installation.ts'

export const PlatformStatusDocument = document('platform status', 'The platform of a cluster, and whether it works.', {
  url: [t.string, 'where users reach it'],
  image: [t.string, 'of its programs'],
  ready: [t.number, 'pods of all programs that are ready'],
  wanted: [t.number, 'pods that should be'],
  programs: [t.readonlyArray(ProgramStatus), 'each program'],
  policies: [t.readonlyArray(t.string), 'admission policies that are in effect'],
  users: [t.number, 'accounts of users'],
  namespaces: [t.number, 'namespaces of users'],
})
export type PlatformStatus = DataOf<typeof PlatformStatusDocument>

type Seen = InstalledObjects & {
  readonly bindings: ReadonlyArray<ClusterObject>
  readonly users: ReadonlyArray<ClusterObject>
  readonly namespaces: ReadonlyArray<ClusterObject>
  /** The namespaces of its programs, and of the builder if there is one. */
  readonly system: SeenNamespace
  readonly building: SeenNamespace | undefined
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
  const programs = [
    programStatus('api', seen.system),
    programStatus('controller', seen.system),
    ...(seen.building === undefined ? [] : [programStatus('builder', seen.building)]),
  ]
  const sum = (count: 'ready' | 'wanted'): number => programs.reduce((total, program) => total + program[count], 0)
  const findings = [
    ...programs.flatMap(programFault),
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
    ready: sum('ready'),
    wanted: sum('wanted'),
    programs,
    policies: inEffect,
    users,
    namespaces: seen.namespaces.length,
  }
  return { findings, value }
}
