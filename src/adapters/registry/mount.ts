/** Copies an image into another repository of its registry by mounting: nothing is downloaded or uploaded. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Reference } from '../../domain/build/reference.ts'
import { type Json, listAt, textAt } from '../../domain/cluster/json.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Ask } from './ask.ts'
import { fetchManifest, notTagged, putManifest, type StoredManifest } from './manifest.ts'

type Mounting = { readonly from: Reference; readonly to: Reference; readonly signal: AbortSignal }

const digestsOf = (parts: ReadonlyArray<Json | undefined>): ReadonlyArray<string> => [
  ...new Set(parts.flatMap((part) => textAt(part, 'digest') ?? [])),
]

/** Layers with URLs are not in the registry. */
const blobsOf = (manifest: Json): ReadonlyArray<string> =>
  digestsOf([
    { digest: textAt(manifest, 'config', 'digest') ?? null },
    ...listAt(manifest, 'layers').filter((layer) => listAt(layer, 'urls').length === 0),
  ])

/** A registry that cannot mount begins an upload instead, which expires by itself. */
const mountBlob =
  (ask: Ask, { from, signal, to }: Mounting) =>
  (digest: string): TE.TaskEither<Diagnostic, void> => {
    const { host, repository } = to
    const query = new URLSearchParams({ mount: digest, from: from.repository })
    const path = `/v2/${repository}/blobs/uploads/?${query.toString()}`
    const asking = { method: 'POST', path, headers: { 'content-length': 0 } } as const
    return pipe(
      ask({ host, repository, actions: 'pull,push', from: from.repository, asking }, signal),
      TE.flatMap(({ status }) =>
        status === 201
          ? TE.right(undefined)
          : TE.left(notTagged(to, `the registry does not take layers of ${from.repository} for it (status ${status})`)),
      ),
    )
  }

const mountBlobs = (ask: Ask, mounting: Mounting, { json }: StoredManifest): TE.TaskEither<Diagnostic, unknown> =>
  pipe(blobsOf(json), TE.traverseSeqArray(mountBlob(ask, mounting)))

/** The image of a single platform. */
const mountPart =
  (ask: Ask, mounting: Mounting) =>
  (digest: string): TE.TaskEither<Diagnostic, void> => {
    const { from, signal, to } = mounting
    const part = ({ host, repository }: Reference): Reference => ({ host, repository, digest })
    return pipe(
      fetchManifest(ask, part(from), signal),
      TE.flatMap(TE.fromNullable(notTagged(to, `a part of it, ${digest}, is missing`))),
      TE.tap((manifest) => mountBlobs(ask, mounting, manifest)),
      TE.flatMap((manifest) => putManifest(ask, part(to), manifest, signal)),
    )
  }

/** Everything except the manifest itself. */
export const mountImage = (
  ask: Ask,
  mounting: Mounting,
  manifest: StoredManifest,
): TE.TaskEither<Diagnostic, unknown> =>
  pipe(
    digestsOf(listAt(manifest.json, 'manifests')),
    TE.traverseSeqArray(mountPart(ask, mounting)),
    TE.flatMap(() => mountBlobs(ask, mounting, manifest)),
  )
