/** Lists the objects of a cluster in memory, and what was written to it. */
import * as E from 'fp-ts/lib/Either.js'
import type { ApiRequest } from '../../../src/domain/cluster/failure.ts'
import { type KnownKind, resources } from '../../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'

/** Sorted names. */
export const listOf = async (cluster: Cluster, kind: KnownKind, namespace: string): Promise<ReadonlyArray<string>> => {
  const list = await cluster.list({ resource: resources[kind], namespace })()
  if (E.isLeft(list)) throw new Error('the list was refused')
  return list.right.items.map(({ metadata }) => metadata.name).toSorted()
}

/** Without reviews, which store nothing. */
export const writesAmong = (asked: ReadonlyArray<ApiRequest>): ReadonlyArray<string> =>
  asked
    .filter(({ verb, what }) => !['get', 'list', 'watch'].includes(verb) && !what.endsWith('authorization.k8s.io'))
    .map(({ verb, what }) => `${verb} ${what}`)
