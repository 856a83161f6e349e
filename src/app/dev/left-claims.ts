/**
 * What `down --volumes` deletes as well: volumes of development containers that were taken down before, and the stored
 * state of their synchronisation.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { annotationOf, labelOf } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { UP_SELECTOR } from '../../domain/dev/names.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { DEV_ANNOTATION, MIRROR_LABEL } from '../../domain/k8s/labels.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { storedFolders } from '../sync/kept.ts'
import type { ActiveDevs } from './active.ts'

type Findings = ReadonlyArray<Diagnostic>
type BasePorts = Pick<Ports, 'home' | 'plainFolders'>

/** Without the files of its volume, the base of a synchronisation is worthless. */
export const forgetBases = (
  { home, plainFolders }: BasePorts,
  { target: { context, namespace } }: { readonly target: Pick<Target, 'context' | 'namespace'> },
  dev: string,
): T.Task<Findings> =>
  pipe(
    storedFolders({ home }),
    T.map((all) => all.filter(([, one]) => one.dev === dev && one.namespace === namespace && one.context === context)),
    T.flatMap(
      T.traverseArray(([key]) =>
        pipe(
          plainFolders.remove(home.where(`sync/${key}`), 'base'),
          TE.match(
            (found) => [found],
            () => [],
          ),
        ),
      ),
    ),
    T.map((found) => found.flat()),
  )

/** Of those that are meant and not active; returns the names of the claims. */
export const deleteLeftClaims = (
  ports: BasePorts,
  { signal, target }: { readonly target: Target; readonly signal: AbortSignal },
  { every, names }: Pick<ActiveDevs, 'every' | 'names'>,
): TE.TaskEither<Findings, { readonly claims: ReadonlyArray<string>; readonly findings: Findings }> => {
  const { cluster, namespace } = target
  const resource = resources.PersistentVolumeClaim
  const active = new Set(every.map(({ record }) => record.mirror))
  return pipe(
    cluster.list({ resource, namespace, labels: UP_SELECTOR }, { signal }),
    TE.map(({ items }) =>
      items
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map((live) => ({ live, dev: annotationOf(live, DEV_ANNOTATION) ?? '' }))
        .filter(({ dev, live }) => names.includes(dev) && !active.has(labelOf(live, MIRROR_LABEL) ?? '')),
    ),
    TE.flatMap(
      TE.traverseArray(({ dev, live: { metadata } }) =>
        pipe(
          cluster.remove(
            { resource, namespace, name: metadata.name },
            { uid: metadata.uid, propagation: 'Background', signal },
          ),
          TE.flatMapTask(() => forgetBases(ports, { target }, dev)),
          TE.map((findings) => ({ claim: metadata.name, findings })),
        ),
      ),
    ),
    TE.bimap(
      (failure): Findings => [failureDiagnostic(failure)],
      (done) => ({ claims: done.map(({ claim }) => claim), findings: done.flatMap(({ findings }) => findings) }),
    ),
  )
}
