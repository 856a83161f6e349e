/** Why no Ingress controller serves Ingresses. */
import * as E from 'fp-ts/lib/Either.js'
import { hasAddress } from '../../domain/cluster/ingress.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Cause } from '../../domain/why/cause.ts'
import { unservedIngresses } from '../../domain/why/unserved.ts'
import type { Cluster } from '../../ports/cluster.ts'

/** Classes are those of the cluster: they are read only when an Ingress seems not to be served, and where they may be. */
export const whyUnserved = async (
  cluster: Cluster,
  ingresses: ReadonlyArray<ClusterObject>,
  signal?: AbortSignal,
): Promise<ReadonlyArray<Cause>> => {
  if (ingresses.every(hasAddress)) return []
  const classes = await cluster.list(
    { resource: resources.IngressClass },
    { isMetadataOnly: true, ...defined({ signal }) },
  )()
  if (E.isLeft(classes)) return []
  return unservedIngresses(
    ingresses,
    classes.right.items.map(({ metadata }) => metadata.name),
  )
}
