/**
 * `up` and `down` work in rounds: observe, plan, write, until nothing is left to do. Each plan is made from the current
 * state of the cluster, so a run that was interrupted at any point is continued by planning again.
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
 * `waitsFor`: objects that must be gone before the next plan (`Pod/db-0`): observe again soon. Done: no actions, and
 * nothing to wait for.
 */
export type Round = { readonly actions: ReadonlyArray<Bound>; readonly waitsFor: ReadonlyArray<string> }

export const isDone = ({ actions, waitsFor }: Round): boolean => actions.length === 0 && waitsFor.length === 0
