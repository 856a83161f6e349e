/**
 * Objects of a platform that nobody needs any more: left behind by an interruption, or when others were removed by
 * hand.
 */
import { type ClusterObject, labelOf } from '../../cluster/live.ts'
import { OWNER_LABEL, PLATFORM_LABEL, RUN_OF_LABEL } from '../../k8s/labels.ts'
import { grouped } from '../../object/grouped.ts'
import { secondsBetween } from '../../text/moment.ts'
import { grantIn, managedIn } from '../access.ts'
import { isExpired, tokenIn } from '../account.ts'
import { approvalIn } from '../login/approval.ts'
import { isUserId } from '../names.ts'
import { surplusRuns } from '../run/age.ts'

/** `why`: as it follows the name of the object. */
export type Garbage = { readonly live: ClusterObject; readonly why: string }

export const showGarbage = ({ live: { kind, metadata }, why }: Garbage): string =>
  `${kind}/${metadata.name}${metadata.namespace === undefined ? '' : ` in ${metadata.namespace}`}, ${why}`

/**
 * `users` were read after all others, so whoever is not among them does not exist. `runs`: their records, metadata is
 * enough.
 */
export type KeptByPlatform = {
  readonly namespaces: ReadonlyArray<ClusterObject>
  readonly bindings: ReadonlyArray<ClusterObject>
  readonly secrets: ReadonlyArray<ClusterObject>
  readonly runs: ReadonlyArray<ClusterObject>
  readonly users: ReadonlyArray<ClusterObject>
}

/** A request that creates a namespace takes seconds. */
const CREATING_SECONDS = 3600

const expiryOf = (secret: ClusterObject): string | undefined =>
  labelOf(secret, PLATFORM_LABEL) === 'token' ? tokenIn(secret)?.expires : approvalIn(secret).expires

/** Namespaces come last: what is in them is deleted with them. */
export const garbageIn = (
  { bindings, namespaces, runs, secrets, users }: KeptByPlatform,
  now: string,
): ReadonlyArray<Garbage> => {
  const known = new Set(users.map(({ metadata }) => metadata.name))
  const managed = namespaces.flatMap((live) => {
    const found = managedIn(live)
    return found === undefined ? [] : [{ live, ...found }]
  })
  const names = new Set(managed.map(({ name }) => name))
  const inManaged = ({ metadata }: ClusterObject): boolean => names.has(metadata.namespace ?? '')
  const gone = (user: string | undefined): boolean => user !== undefined && isUserId(user) && !known.has(user)
  const byEnvironment = grouped(
    runs.filter(inManaged),
    (live) => `${live.metadata.namespace}/${labelOf(live, RUN_OF_LABEL)}`,
  )
  return [
    ...bindings
      .filter((live) => inManaged(live) && gone(grantIn(live)?.user))
      .map((live) => ({ live, why: 'of a user who does not exist' })),
    ...secrets.flatMap((live): ReadonlyArray<Garbage> => {
      if (gone(labelOf(live, OWNER_LABEL))) return [{ live, why: 'of a user who does not exist' }]
      const expires = expiryOf(live)
      return expires !== undefined && isExpired({ expires }, now) ? [{ live, why: `expired at ${expires}` }] : []
    }),
    ...[...byEnvironment.values()].flatMap((records) =>
      surplusRuns(records).map((live) => ({ live, why: 'a run that ten newer ones follow' })),
    ),
    ...managed
      .filter(
        ({ created, isIncomplete, status }) =>
          isIncomplete && status === 'Active' && secondsBetween(created, now) > CREATING_SECONDS,
      )
      .map(({ live }) => ({ live, why: 'whose creation was never completed' })),
  ]
}
