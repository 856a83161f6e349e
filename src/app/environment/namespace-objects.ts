/** Objects in a namespace that have the names or labels of an environment, read before anything is changed. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import type { Observed } from '../../domain/cluster/live.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import type { KubeObject } from '../../domain/k8s/types.ts'
import type { Target } from '../context/target.ts'

/** Kinds of which only the metadata is needed: name, labels, annotations and uid. */
const isMetadataOnly: { readonly [K in KubeObject['kind']]: boolean } = {
  ConfigMap: true,
  Secret: true,
  PersistentVolumeClaim: false,
  Service: false,
  Ingress: true,
  Deployment: true,
  StatefulSet: false,
  DaemonSet: true,
  Job: false,
}

const kinds: ReadonlyArray<KubeObject['kind'] & KnownKind> = [
  'ConfigMap',
  'Secret',
  'PersistentVolumeClaim',
  'Service',
  'Ingress',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
]

/** One list per kind, with objects of any owner, so that a taken name is found before anything is written. */
export const namespaceObjects = (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  signal: AbortSignal,
): TE.TaskEither<Failure, Observed> => {
  const list = (kind: (typeof kinds)[number]) =>
    pipe(
      cluster.list({ resource: resources[kind], namespace }, { isMetadataOnly: isMetadataOnly[kind], signal }),
      TE.map(({ items }) => [kind, new Map(items.map((live) => [live.metadata.name, live]))] as const),
    )
  return pipe(
    TE.sequenceArray(kinds.map(list)),
    TE.map((lists) => new Map(lists)),
  )
}
