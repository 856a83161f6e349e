/** Keeps up to date which namespaces users have access to, and which of them sleep. */
import type { Failure } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import {
  type AccessState,
  ASLEEP,
  BINDING_SELECTOR,
  MANAGED_SELECTOR,
  type WatchedKind,
} from '../../domain/platform/access.ts'
import type { Selection } from '../../ports/cluster.ts'
import { type Informing, inform, type Sink } from '../watch/informer.ts'

/** `troubled` is called with the reason why a kind cannot be watched, and with `undefined` when it can be again. */
type Troubled = (kind: string, failure: Failure | undefined) => void

type Selected = Pick<Selection, 'fields' | 'labels'>

/** API servers refuse lists for a moment after their start, or after permissions were granted. */
const FORBIDDEN_PAUSE_MS = 2000

/** Resolves when all kinds have been listed, or when the signal is aborted; runs until the signal is aborted. */
export const watchAccess = async (informing: Informing, access: AccessState, troubled: Troubled): Promise<void> => {
  const { clock, signal } = informing
  const keep = async (kind: WatchedKind, selection: Selected, listed: () => void): Promise<void> => {
    const sink: Sink = {
      see: access.see,
      forget: access.forget,
      reset: (items: ReadonlyArray<ClusterObject>) => {
        access.reset(kind, items)
        listed()
      },
      trouble: (failure) => troubled(kind, failure),
    }
    while (!signal.aborted) {
      await inform(informing, { resource: resources[kind], ...selection }, sink)
      await clock.sleep(FORBIDDEN_PAUSE_MS, signal)
    }
    listed()
  }
  const follow = (kind: WatchedKind, selection: Selected): Promise<void> =>
    new Promise((listed) => void keep(kind, selection, listed))
  await Promise.all([
    follow('Namespace', { labels: MANAGED_SELECTOR }),
    follow('RoleBinding', { labels: BINDING_SELECTOR }),
    follow('ConfigMap', ASLEEP),
  ])
}
