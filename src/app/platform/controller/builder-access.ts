/** Lets runs that are under way reach the build service, and no others. */
import type { ClusterObject } from '../../../domain/cluster/live.ts'
import { resources } from '../../../domain/cluster/resources.ts'
import { BUILDER_NAMESPACE } from '../../../domain/platform/names.ts'
import { builderBinding, builderBindingKey } from '../../../domain/platform/run/builder-binding.ts'
import { acted } from './acting.ts'
import { CONTROLLER, type ControllerWorld, keyOf } from './world.ts'

const place = { resource: resources.RoleBinding, namespace: BUILDER_NAMESPACE }

/**
 * `bindings`: the known ones, `undefined` without a build service. `namespaces`: those with runs that are under way or
 * about to be. A run is not kept waiting by a binding that cannot be written: not every run builds, and those that do
 * wait for it.
 */
export const tendBuilderAccess = async (
  world: ControllerWorld,
  bindings: ReadonlyMap<string, ClusterObject> | undefined,
  namespaces: ReadonlySet<string>,
): Promise<void> => {
  if (bindings === undefined) return
  const { cluster } = world
  const wanted = new Set<string>()
  for (const namespace of namespaces) {
    const { name } = builderBindingKey(namespace)
    const about = { metadata: { namespace: BUILDER_NAMESPACE, name, uid: '', resourceVersion: '' } }
    const key = keyOf(about)
    wanted.add(key)
    if (!bindings.has(key))
      await acted(world, 'builder opened', about, cluster.create(place, builderBinding(namespace), CONTROLLER))
  }
  for (const [key, live] of bindings) {
    const { name, resourceVersion, uid } = live.metadata
    const removal = { uid, resourceVersion, propagation: 'Background' } as const
    if (!wanted.has(key)) await acted(world, 'builder closed', live, cluster.remove({ ...place, name }, removal))
  }
}
