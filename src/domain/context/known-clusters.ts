/** `context/clusters.json`: the clusters that were changed from this machine before, by identity. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isObject, type JsonObject } from '../cluster/json.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { sha256 } from '../text/sha256.ts'
import { printOwnFile, readOwnFile } from './own-file.ts'

export const KNOWN_CLUSTERS = 'context/clusters.json'

export type KnownClusters = { readonly root: JsonObject; readonly clusters: JsonObject }

/** Fails with DT2105, naming `file`. */
export const readKnownClusters = (file: string, text: string | undefined): E.Either<Diagnostic, KnownClusters> =>
  pipe(
    readOwnFile(file, text, 'clusters'),
    E.map(({ members, root }) => ({ root, clusters: members })),
  )

/** The identity without permission to read the namespace kube-system: the address, and the certificate authority. */
export const addressIdentity = (server: string, authority: string | undefined): string =>
  `sha256:${sha256(`${server}\n${authority ?? ''}`)}`

export const isKnown = ({ clusters }: KnownClusters, identity: string): boolean => Object.hasOwn(clusters, identity)

/** The file with that cluster added. `server` and `date` are only for people who read the file. */
export const printWithCluster = (
  { clusters, root }: KnownClusters,
  identity: string,
  { date, server }: { readonly server: string; readonly date: string },
): string => {
  const old = clusters[identity]
  const entry = { since: date, ...(isObject(old) ? old : {}), server }
  return printOwnFile({ ...root, clusters: { ...clusters, [identity]: entry } })
}
