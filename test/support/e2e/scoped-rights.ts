/** What the platform's programs, taken over, and members cannot do with the accounts of API tokens. */
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { defined } from '../../../src/domain/object/defined.ts'
import { SCOPED_NAMESPACE, SYSTEM_NAMESPACE, scopedNameOf } from '../../../src/domain/platform/names.ts'
import { scopedBindingObject } from '../../../src/domain/platform/scoped.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { done, manager } from '../../contract/cluster-world.ts'
import { type Attempt, isForbidden, isRefusedBy, listing, pod, posted, type World } from './platform-world.ts'

const id = '0'.repeat(12)

/** A Kubernetes token for an account. */
const issue = (who: Cluster, account: string): Attempt => {
  const resource = { ...resources.ServiceAccount, plural: `serviceaccounts/${account}/token` }
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  return who.create({ resource, namespace: SCOPED_NAMESPACE }, body, { manager })
}

export const scopedStays = async ({ api, as, controller, elsewhere, shop, userOf: user }: World): Promise<void> => {
  const name = scopedNameOf(user('member'), id)
  const [apiPosts, controllerPosts] = [posted(api, SCOPED_NAMESPACE), posted(controller, SCOPED_NAMESPACE)]
  for (const post of [apiPosts, controllerPosts]) await isForbidden(post('Pod', { name: 'own' }, pod()))
  for (const kind of ['Secret', 'ConfigMap'] as const) await isForbidden(apiPosts(kind, { name: 'own' }))
  await isRefusedBy('confine', 'writes only in', controllerPosts('ConfigMap', { name: 'own' }))
  await isRefusedBy('confine', 'in', controllerPosts('Secret', { name: 'own' }))
  await isForbidden(controllerPosts('ServiceAccount', { name }))
  await done(apiPosts('ServiceAccount', { name }))
  await isForbidden(issue(controller, name))
  await isForbidden(listing(api.as({ user: `system:serviceaccount:${SCOPED_NAMESPACE}:${name}` }), 'Pod', shop))

  const { roleRef, subjects } = scopedBindingObject({ id, user: user('member') }, shop, 'member')
  const bind = (namespace: string, more: JsonObject = {}): Attempt =>
    posted(api, namespace)('RoleBinding', { name: 'of-token' }, { ...defined({ roleRef, subjects }), ...more })
  for (const place of [elsewhere, SYSTEM_NAMESPACE, SCOPED_NAMESPACE, 'kube-system'])
    await isRefusedBy('confine', 'writes only in', bind(place))
  const group = {
    apiGroup: resources.RoleBinding.group,
    kind: 'Group',
    name: `system:serviceaccounts:${SCOPED_NAMESPACE}`,
  }
  await isRefusedBy('confine-access', 'to its users', bind(shop, { subjects: [group] }))
  await done(bind(shop))
  for (const who of ['member', 'owner'] as const) {
    await isForbidden(listing(as(who), 'ServiceAccount', SCOPED_NAMESPACE))
    await isForbidden(issue(as(who), name))
  }
}
