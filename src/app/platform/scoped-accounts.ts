/**
 * The Kubernetes accounts of API tokens with a scope: created when a token is first used for Kubernetes, and deleted with
 * it.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { GrantedNamespace } from '../../domain/platform/access.ts'
import type { TokenRecord } from '../../domain/platform/account.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { SCOPED_NAMESPACE, scopedNameOf, tokenSecretOf, USERS_NAMESPACE } from '../../domain/platform/names.ts'
import type { NamespaceRole } from '../../domain/platform/role.ts'
import { roleWithin } from '../../domain/platform/scope.ts'
import { scopedAccountObject, scopedBindingNameOf, scopedBindingObject } from '../../domain/platform/scoped.ts'
import { unbindAll } from './members.ts'
import { incomplete, revoked } from './refusals.ts'
import { MANAGER, type PlatformWorld } from './world.ts'

type Done = TE.TaskEither<Diagnostic, unknown>

const accounts = { resource: resources.ServiceAccount, namespace: SCOPED_NAMESPACE }
const keyOf = ({ id, user }: Pick<TokenRecord, 'id' | 'user'>) => ({ ...accounts, name: scopedNameOf(user, id) })

const problem = TE.mapLeft(clusterProblem('account of the token'))

/** Kubernetes tokens of the account become invalid with it. */
export const removeScoped = (world: PlatformWorld, token: Pick<TokenRecord, 'id' | 'user' | 'scope'>): Done => {
  if (token.scope._tag === 'All') return TE.right(undefined)
  return pipe(
    world.cluster.remove(keyOf(token), { propagation: 'Background' }),
    problem,
    TE.flatMap(() =>
      unbindAll(
        world,
        world.access.scoped().filter((grant) => grant.token === token.id),
      ),
    ),
  )
}

/** The account may exist already. */
const createAccount = ({ cluster }: PlatformWorld, token: TokenRecord): Done =>
  pipe(
    cluster.get(keyOf(token)),
    problem,
    TE.flatMap(
      (found): Done =>
        found === undefined
          ? pipe(
              cluster.create(accounts, scopedAccountObject(token), { manager: MANAGER }),
              problem,
              TE.orElse((failure) => {
                if (failure.code === 'DT6006') return TE.right({})
                // Its namespace is missing: an upgrade has not come that far.
                return TE.left(failure.code === 'DT6004' ? incomplete : failure)
              }),
            )
          : TE.right(undefined),
    ),
  )

type Wanted = { readonly granted: GrantedNamespace; readonly role: NamespaceRole }

const wantedBy = ({ access }: PlatformWorld, { scope, user }: TokenRecord): ReadonlyArray<Wanted> =>
  access.of(user).flatMap((granted) => {
    const role = roleWithin(scope, granted.namespace.name, granted.role)
    return role === undefined ? [] : [{ granted, role }]
  })

/** The user may lose the role while it is given to the token; whoever takes it away then may not see this binding. */
const bindToken = (world: PlatformWorld, token: TokenRecord, { granted, role }: Wanted): Done => {
  const { access, cluster } = world
  const [namespace, resource] = [granted.namespace.name, resources.RoleBinding]
  const key = { resource, namespace, name: scopedBindingNameOf(token, role) }
  const told = TE.mapLeft(clusterProblem(`role of the token in namespace ${namespace}`))
  return pipe(
    told(
      cluster.apply(key, JSON.stringify(scopedBindingObject(token, namespace, role)), {
        manager: MANAGER,
        force: true,
      }),
    ),
    TE.flatMap(({ object }) => {
      access.see(object)
      return pipe(
        told(cluster.get({ resource, namespace, name: granted.binding.name })),
        TE.flatMap(
          (found): Done =>
            found?.metadata.uid === granted.binding.uid
              ? TE.right(undefined)
              : unbindAll(world, [{ namespace, binding: { name: object.metadata.name, uid: object.metadata.uid } }]),
        ),
      )
    }),
  )
}

/** A namespace that is being deleted keeps a token from nothing else. */
const unlessGone = (failure: Diagnostic): Done =>
  failure.code === 'DT6004' || failure.code === 'DT6006' ? TE.right(undefined) : TE.left(failure)

/** Creates what the token lacks, and deletes what it has beyond that. */
const bindEverywhere = (world: PlatformWorld, token: TokenRecord): Done => {
  const bound = world.access.scoped().filter((grant) => grant.token === token.id)
  const wanted = wantedBy(world, token)
  const same = (grant: (typeof bound)[number], { granted, role }: Wanted): boolean =>
    grant.namespace === granted.namespace.name && grant.role === role
  return pipe(
    unbindAll(
      world,
      bound.filter((grant) => !wanted.some((one) => same(grant, one))),
    ),
    TE.flatMap(() =>
      TE.sequenceSeqArray(
        wanted
          .filter((one) => !bound.some((grant) => same(grant, one)))
          .map((one) => pipe(bindToken(world, token, one), TE.orElse(unlessGone))),
      ),
    ),
  )
}

/** The token may be revoked while its account is created; whoever revokes it then may not see the account. */
const confirmed = (world: PlatformWorld, token: TokenRecord): Done =>
  pipe(
    world.cluster.get({ resource: resources.Secret, namespace: USERS_NAMESPACE, name: tokenSecretOf(token.id) }),
    TE.mapLeft(clusterProblem('token')),
    TE.flatMap(
      (found): Done =>
        found?.metadata.uid === token.uid
          ? TE.right(undefined)
          : pipe(
              removeScoped(world, token),
              TE.flatMap(() => TE.left(revoked)),
            ),
    ),
  )

/** Has the permissions that the scope leaves. */
export const scopedAccountFor = (world: PlatformWorld, token: TokenRecord): TE.TaskEither<Diagnostic, string> =>
  pipe(
    createAccount(world, token),
    TE.flatMap(() => bindEverywhere(world, token)),
    TE.flatMap(() => confirmed(world, token)),
    TE.map(() => scopedNameOf(token.user, token.id)),
  )

/**
 * Deletes what tokens have beyond their users, whose roles may have been taken away by somebody who did not get this
 * far.
 */
export const unbindExceeding = (world: PlatformWorld): Done => unbindAll(world, world.access.exceeding())
