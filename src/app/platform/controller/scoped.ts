/** Deletes the accounts of API tokens that were deleted without them. */
import type { ClusterObject } from '../../../domain/cluster/live.ts'
import { resources } from '../../../domain/cluster/resources.ts'
import { tokenSecretOf, USERS_NAMESPACE } from '../../../domain/platform/names.ts'
import { scopedTokenIn } from '../../../domain/platform/scoped.ts'
import { acted, answered } from './acting.ts'
import type { ControllerWorld } from './world.ts'

type Known = ReadonlyMap<string, ClusterObject>

/** `tokens`: their Secrets. */
export const tendScoped = async (world: ControllerWorld, accounts: Known, tokens: Known): Promise<void> => {
  const { cluster } = world
  for (const live of accounts.values()) {
    const { name, namespace = '', uid } = live.metadata
    const token = scopedTokenIn(name)
    if (token === undefined) continue
    const secret = { resource: resources.Secret, namespace: USERS_NAMESPACE, name: tokenSecretOf(token.id) }
    if (tokens.has(`${secret.namespace}/${secret.name}`)) continue
    // The account may have been seen before its token.
    const found = await answered(cluster.get(secret))
    if (found === undefined || found.value !== undefined) continue
    const key = { resource: resources.ServiceAccount, namespace, name }
    await acted(world, 'revoked', live, cluster.remove(key, { uid, propagation: 'Background' }))
  }
}
