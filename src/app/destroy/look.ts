/** What there is to destroy: all kinds of the namespace, what Helm remembers, and what was left elsewhere. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Resource } from '../../domain/cluster/resources.ts'
import { sharedRelease, unsearchedKinds } from '../../domain/destroy/findings.ts'
import { foreignFindings, foreignIn, foreignOf } from '../../domain/destroy/foreign.ts'
import { type Found, isSearched, recordOf } from '../../domain/destroy/found.ts'
import { type DestroyPlan, destroyPlan, isOfEnvironment, type Options } from '../../domain/destroy/plan.ts'
import { releasesOf } from '../../domain/destroy/releases.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type Entry, type EnvironmentRecord, unionOf } from '../../domain/environment/record.ts'
import { type Release, readRelease } from '../../domain/environment/release.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Session } from '../context/target.ts'

export type Around = {
  readonly session: Pick<Session, 'cluster' | 'namespace'>
  readonly environment: string
  readonly options: Options
  readonly signal: AbortSignal
}

/** `environments`: whose records, locks or kept variables are in the namespace. */
export type Looked = {
  readonly plan: DestroyPlan
  readonly foreign: ReadonlyArray<Entry>
  readonly environments: ReadonlyArray<string>
  readonly findings: ReadonlyArray<Diagnostic>
}

type Search = { readonly found: ReadonlyArray<Found>; readonly refused: ReadonlyArray<string> }

/** Of these the specification decides; of all others name, labels, annotations, owners and uid do. */
const isWhole = ({ group, plural }: Resource): boolean => group === 'apps' && plural === 'statefulsets'

/** A kind that was taken away meanwhile, or whose own server does not answer, has nothing that could be deleted. */
const isNoMatter = (failure: Failure): boolean =>
  failure._tag === 'Refused' && [403, 404, 405, 503].includes(failure.status)

/** A kind that the environment is known to have cannot be passed over: its record would be lost with the objects left. */
const search =
  (
    { session: { cluster, namespace }, signal }: Around,
    kinds: ReadonlyArray<Resource>,
    inventory: ReadonlyArray<Entry>,
  ): TE.TaskEither<Diagnostic, Search> =>
  async () => {
    const lists = await bounded(kinds.filter(isSearched), async (resource) => {
      const listed = await cluster.list({ resource, namespace }, { isMetadataOnly: !isWhole(resource), signal })()
      return { resource, listed }
    })
    const found: Array<Found> = []
    const refused: Array<string> = []
    const isKnown = ({ group, plural }: Resource): boolean =>
      inventory.some((entry) => entry.group === group && entry.plural === plural)
    for (const { listed, resource } of lists) {
      if (E.isRight(listed)) found.push(...listed.right.items.map((live) => ({ resource, live })))
      else if (!isNoMatter(listed.left) || isKnown(resource)) return E.left(failureDiagnostic(listed.left))
      else if (listed.left._tag === 'Refused' && listed.left.status !== 404) refused.push(resource.plural)
    }
    return E.right({ found, refused })
  }

/** The Helm releases that are ours as a whole; DT3307 for the others. */
const readReleases = async (
  { environment, session: { cluster, namespace }, signal }: Around,
  found: ReadonlyArray<Found>,
  inventory: ReadonlyArray<Entry>,
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

/** Those that are not known to be gone. */
const stillThere = async (
  { session: { cluster }, signal }: Around,
  entries: ReadonlyArray<Entry>,
): Promise<ReadonlyArray<Entry>> => {
  const kept = await bounded(entries, async (entry) => {
    const { name, namespace, uid } = entry
    const resource = { ...entry, isNamespaced: namespace !== undefined }
    const read = await cluster.get({ resource, name, ...(namespace === undefined ? {} : { namespace }) }, signal)()
    const isGone = E.isRight(read) && (read.right === undefined || (uid !== '' && read.right.metadata.uid !== uid))
    return isGone ? [] : [entry]
  })
  return kept.flat()
}

/** Looks anew each time; the kinds of the cluster are asked for once. */
export const looking = (around: Around) => {
  let kinds: ReadonlyArray<Resource> | undefined
  return (record: EnvironmentRecord | undefined): TE.TaskEither<Diagnostic, Looked> =>
    async () => {
      const { environment, options, session, signal } = around
      if (kinds === undefined) {
        const known = await session.cluster.resources(signal)()
        if (E.isLeft(known)) return E.left(failureDiagnostic(known.left))
        kinds = known.right
      }
      const inventory = record?.inventory ?? []
      const searched = await search(around, kinds, inventory)()
      if (E.isLeft(searched)) return searched
      const { found, refused } = searched.right
      const { findings, releases } = await readReleases(around, found, inventory)
      const { namespace } = session
      const elsewhere = unionOf(record === undefined ? [] : foreignIn(record), foreignOf(releases, namespace, kinds))
      const foreign = await stillThere(around, elsewhere)
      const environments = found.flatMap((one) => recordOf(one) ?? [])
      return E.right({
        plan: destroyPlan({ environment, found, inventory, releases, options }),
        foreign,
        environments: [...new Set(environments)],
        findings: [...unsearchedKinds(refused), ...(options.isAll ? [] : findings), ...foreignFindings(foreign)],
      })
    }
}
