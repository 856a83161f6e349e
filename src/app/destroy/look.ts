/** Finds the objects to destroy: all kinds in the namespace, Helm's records, and objects in other namespaces. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import type { Resource } from '../../domain/cluster/resources.ts'
import { sharedRelease, unsearchedKinds } from '../../domain/destroy/findings.ts'
import { foreignFindings, foreignIn, foreignOf } from '../../domain/destroy/foreign.ts'
import { type FoundObjects, isSearched, recordOf } from '../../domain/destroy/found.ts'
import {
  type DestroyPlan,
  destroyPlan,
  isOfEnvironment,
  isThere,
  type Options,
  policyOf,
} from '../../domain/destroy/plan.ts'
import { releasesOf } from '../../domain/destroy/releases.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type EnvironmentRecord, type InventoryEntry, unionOf } from '../../domain/environment/record.ts'
import { type Release, readRelease } from '../../domain/environment/release.ts'
import { defined } from '../../domain/object/defined.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Target } from '../context/target.ts'

export type SearchScope = {
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly environment: string
  readonly options: Options
  readonly signal: AbortSignal
}

/** `isThere`: see {@link isThere}. `environments`: those with a record, lock or kept variables in the namespace. */
export type SearchResult = {
  readonly isThere: boolean
  readonly plan: DestroyPlan
  readonly foreign: ReadonlyArray<InventoryEntry>
  readonly environments: ReadonlyArray<string>
  readonly findings: ReadonlyArray<Diagnostic>
}

type Search = { readonly found: ReadonlyArray<FoundObjects>; readonly refused: ReadonlyArray<string> }

const wholeKinds: ReadonlySet<string> = new Set(['apps/statefulsets', '/persistentvolumeclaims', '/services'])

/** Kinds whose spec is needed; for all others name, labels, annotations, owners and uid are enough. */
const isWhole = ({ group, plural }: Resource): boolean => wholeKinds.has(`${group}/${plural}`)

/** A kind that was removed meanwhile, or whose API server does not answer, has no objects to delete. */
const isNoMatter = (failure: Failure): boolean =>
  failure._tag === 'Refused' && [403, 404, 405, 503].includes(failure.status)

/** A kind that the environment is known to have must not be skipped: its objects would remain without a record. */
const search =
  (
    { target: { cluster, namespace }, signal }: SearchScope,
    kinds: ReadonlyArray<Resource>,
    inventory: ReadonlyArray<InventoryEntry>,
  ): TE.TaskEither<Diagnostic, Search> =>
  async () => {
    const lists = await bounded(kinds.filter(isSearched), async (resource) => {
      const listed = await cluster.list({ resource, namespace }, { isMetadataOnly: !isWhole(resource), signal })()
      return { resource, listed }
    })
    const found: Array<FoundObjects> = []
    const refused: Array<string> = []
    const isKnown = ({ group, plural }: Resource): boolean =>
      inventory.some((entry) => entry.group === group && entry.plural === plural)
    for (const { listed, resource } of lists) {
      if (E.isRight(listed)) for (const one of listed.right.items.map((live) => ({ resource, live }))) found.push(one)
      else if (!isNoMatter(listed.left) || isKnown(resource)) return E.left(failureDiagnostic(listed.left))
      else if (listed.left._tag === 'Refused' && listed.left.status !== 404) refused.push(resource.plural)
    }
    return E.right({ found, refused })
  }

/** Reads the specs of objects that an annotation keeps, since they may be workloads that need others. */
const withKept =
  (
    { target: { cluster, namespace }, signal }: SearchScope,
    found: ReadonlyArray<FoundObjects>,
  ): TE.TaskEither<Diagnostic, ReadonlyArray<FoundObjects>> =>
  async () => {
    const all = await bounded(found, async (one) => {
      if (isWhole(one.resource) || policyOf(one.live) === undefined) return E.right(one)
      const read = await cluster.get({ resource: one.resource, namespace, name: one.live.metadata.name }, signal)()
      return E.bimap(failureDiagnostic, (live: ClusterObject = one.live) => ({ ...one, live }))(read)
    })
    return E.sequenceArray(all)
  }

/** The Helm releases that belong to the environment entirely; DT3307 for the others. */
const readReleases = async (
  { environment, target: { cluster, namespace }, signal }: SearchScope,
  found: ReadonlyArray<FoundObjects>,
  inventory: ReadonlyArray<InventoryEntry>,
): Promise<{ readonly releases: ReadonlyArray<Release>; readonly findings: ReadonlyArray<Diagnostic> }> => {
  const all = [...releasesOf(found, isOfEnvironment(environment, inventory))]
  const secrets = await bounded(
    all.flatMap(([, { isWhole: isOurs, last }]) => (isOurs ? [last] : [])),
    ({ live, resource }) => cluster.get({ resource, namespace, name: live.metadata.name }, signal)(),
  )
  return {
    releases: secrets.flatMap((secret) => {
      const release = E.isRight(secret) && secret.right !== undefined ? readRelease(secret.right) : undefined
      return release === undefined ? [] : [release]
    }),
    findings: all.flatMap(([name, { isWhole: isOurs }]) => (isOurs ? [] : [sharedRelease(name)])),
  }
}

/** Objects that may still exist. */
const stillThere = async (
  { target: { cluster }, signal }: SearchScope,
  entries: ReadonlyArray<InventoryEntry>,
): Promise<ReadonlyArray<InventoryEntry>> => {
  const kept = await bounded(entries, async (entry) => {
    const { name, namespace, uid } = entry
    const resource = { ...entry, isNamespaced: namespace !== undefined }
    const read = await cluster.get({ resource, name, ...defined({ namespace }) }, signal)()
    const isGone = E.isRight(read) && (read.right === undefined || (uid !== '' && read.right.metadata.uid !== uid))
    return isGone ? [] : [entry]
  })
  return kept.flat()
}

/** Each call searches again; the kinds of the cluster are listed only once. */
export const looking = (scope: SearchScope) => {
  let kinds: ReadonlyArray<Resource> | undefined
  return (record: EnvironmentRecord | undefined): TE.TaskEither<Diagnostic, SearchResult> =>
    async () => {
      const { environment, options, target, signal } = scope
      if (kinds === undefined) {
        const known = await target.cluster.resources(signal)()
        if (E.isLeft(known)) return E.left(failureDiagnostic(known.left))
        kinds = known.right
      }
      const inventory = record?.inventory ?? []
      const searched = await pipe(
        search(scope, kinds, inventory),
        TE.flatMap(({ found, refused }) =>
          TE.map((whole: ReadonlyArray<FoundObjects>) => ({ found: whole, refused }))(withKept(scope, found)),
        ),
      )()
      if (E.isLeft(searched)) return searched
      const { found, refused } = searched.right
      const { findings, releases } = await readReleases(scope, found, inventory)
      const { namespace } = target
      const elsewhere = unionOf(record === undefined ? [] : foreignIn(record), foreignOf(releases, namespace, kinds))
      const foreign = await stillThere(scope, elsewhere)
      const environments = found.flatMap((one) => recordOf(one) ?? [])
      // Objects that commands and deploy created are recorded. If a recorded kind cannot be searched, destroy ends
      // here.
      const isRecorded = record !== undefined && !options.isAll
      const situation = { environment, found, inventory, releases, options }
      return E.right({
        plan: destroyPlan(situation),
        isThere: isThere(situation, record),
        foreign,
        environments: [...new Set(environments)],
        findings: [
          ...unsearchedKinds(isRecorded ? [] : refused),
          ...(options.isAll ? [] : findings),
          ...foreignFindings(foreign),
        ],
      })
    }
}
