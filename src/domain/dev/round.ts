/**
 * `up` and `down` work in rounds: look, plan, write, until nothing is left to do. Each plan is made from the cluster as
 * it is, so a run that was cut off at any point is continued by planning again.
 */
import type { KnownKind } from '../cluster/resources.ts'
import type { Bound } from '../plan/action.ts'

/** What plans are made from: all objects of the namespace. */
export const upKinds: ReadonlyArray<KnownKind> = [
  'ConfigMap',
  'Secret',
  'PersistentVolumeClaim',
  'Pod',
  'ReplicaSet',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'Service',
  'HorizontalPodAutoscaler',
  'PodDisruptionBudget',
  'ScaledObject',
]

/**
 * `waitsFor`: what must go away before more can be planned (`Pod/db-0`): look again soon. Done: no actions, and nothing
 * to wait for.
 */
export type Round = { readonly actions: ReadonlyArray<Bound>; readonly waitsFor: ReadonlyArray<string> }

export const isDone = ({ actions, waitsFor }: Round): boolean => actions.length === 0 && waitsFor.length === 0
