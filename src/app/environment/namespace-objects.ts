/** What is in a namespace under the names and labels of an environment, before anything is done. */
import * as E from 'fp-ts/lib/Either.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import type { Live, Observed } from '../../domain/cluster/live.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import type { KubeObject } from '../../domain/k8s/types.ts'
import type { Session } from '../context/target.ts'

/** Of these the specification decides; of the others name, labels, annotations and uid do. */
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

/** One list a kind, whoever owns the objects: a name that is taken is found before anything is written. */
export const namespaceObjects = async (
  { cluster, namespace }: Pick<Session, 'cluster' | 'namespace'>,
  signal: AbortSignal,
): Promise<E.Either<Failure, Observed>> => {
  const lists = await Promise.all(
    kinds.map((kind) =>
      cluster.list({ resource: resources[kind], namespace }, { isMetadataOnly: isMetadataOnly[kind], signal })(),
    ),
  )
  const observed = new Map<string, ReadonlyMap<string, Live>>()
  for (const [index, list] of lists.entries()) {
    if (E.isLeft(list)) return list
    const kind = kinds[index] ?? ''
    observed.set(kind, new Map(list.right.items.map((live) => [live.metadata.name, live])))
  }
  return E.right(observed)
}
