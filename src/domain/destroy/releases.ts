/** Helm releases: one Secret for each revision. A release is ours when all of its revisions are. */

import * as C from '../checked.ts'
import { annotationOf } from '../cluster/live.ts'
import type { Release } from '../environment/release.ts'
import { defined } from '../object/defined.ts'
import { grouped } from '../object/grouped.ts'
import { source } from '../text/source.ts'
import { get, type Node } from '../yaml/node.ts'
import { readYaml } from '../yaml/read.ts'
import type { FoundObjects } from './found.ts'

const REVISION = /^sh\.helm\.release\.v1\.(.+)\.v(\d+)$/

type Revision = { readonly release: string; readonly revision: number }

/** The release and revision that a Secret stores. */
export const releaseOf = ({ live, resource }: FoundObjects): Revision | undefined => {
  const [, release, revision] = (resource.plural === 'secrets' && REVISION.exec(live.metadata.name)) || []
  return release === undefined ? undefined : { release, revision: Number(revision) }
}

/**
 * By name: the last revision of each release that involves this environment; `isWhole`: nobody else installed a
 * revision of it.
 */
export type Releases = ReadonlyMap<string, { readonly last: FoundObjects; readonly isWhole: boolean }>

export const releasesOf = (found: ReadonlyArray<FoundObjects>, isOurs: (found: FoundObjects) => boolean): Releases => {
  const known = found.flatMap((of) => {
    const revision = releaseOf(of)
    return revision === undefined ? [] : [{ of, ...revision }]
  })
  const releases = new Map<string, { readonly last: FoundObjects; readonly isWhole: boolean }>()
  for (const [release, all] of grouped(known, ({ release: name }) => name)) {
    const last = all.toSorted((a, b) => b.revision - a.revision)[0]
    if (last === undefined || !all.some(({ of }) => isOurs(of))) continue
    releases.set(release, { last: last.of, isWhole: all.every(({ of }) => isOurs(of)) })
  }
  return releases
}

/** An object in a release's manifest. `namespace` is set only when the manifest sets it. */
export type ReleaseMember = {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

const textOf = (node: Node | undefined): string | undefined => (node?._tag === 'Scalar' ? node.text : undefined)

const memberOf = (document: Node): ReadonlyArray<ReleaseMember> => {
  const metadata = get(document, 'metadata')
  const [apiVersion, kind, name] = [
    textOf(get(document, 'apiVersion')),
    textOf(get(document, 'kind')),
    textOf(get(metadata, 'name')),
  ]
  if (apiVersion === undefined || kind === undefined || name === undefined) return []
  const namespace = textOf(get(metadata, 'namespace'))
  return [{ apiVersion, kind, name, ...defined({ namespace }) }]
}

/** The objects in a release's manifest; none when it is not valid YAML. */
export const membersOf = ({ manifest }: Pick<Release, 'manifest'>): ReadonlyArray<ReleaseMember> =>
  C.valueOf(readYaml(source('manifest', '', manifest)))?.flatMap(memberOf) ?? []

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '')

/** Helm annotates every object with its release; the release's manifest has to list the object as well. */
export const isMemberOf = ({ live, resource }: FoundObjects, { manifest, name }: Release): boolean =>
  annotationOf(live, 'meta.helm.sh/release-name') === name &&
  membersOf({ manifest }).some(
    (member) =>
      member.kind === resource.kind &&
      groupOf(member.apiVersion) === resource.group &&
      member.name === live.metadata.name,
  )
