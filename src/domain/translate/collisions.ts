/** Two objects of the same kind and name: the second would silently overwrite the first. */
import type { Model } from '../compose/model.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { type Ref, showRef } from '../plan/action.ts'
import type { Span } from '../text/source.ts'

type NamedObject = { readonly ref: Ref; readonly at: Span }

/** External objects must not be overwritten either; several volumes may refer to the same one. */
const externals = ({ volumes, configs, secrets }: Model): ReadonlyArray<NamedObject> => [
  ...volumes
    .filter(({ isExternal }) => isExternal)
    .map(({ object, at }): NamedObject => ({ ref: { kind: 'PersistentVolumeClaim', name: object }, at })),
  ...configs
    .filter(({ content }) => content === undefined)
    .map(({ object, at }): NamedObject => ({ ref: { kind: 'ConfigMap', name: object }, at })),
  ...secrets
    .filter(({ content }) => content === undefined)
    .map(({ object, at }): NamedObject => ({ ref: { kind: 'Secret', name: object }, at })),
]

/**
 * DT1030 at the second of the two, once for each place, because the objects of a service usually collide all at once.
 */
export const collisions = (model: Model, objects: ReadonlyArray<NamedObject>): ReadonlyArray<Diagnostic> => {
  const first = new Map(externals(model).map(({ ref, at }) => [showRef(ref), at]))
  const reported = new Set<Span>()
  return objects.flatMap(({ ref, at }) => {
    const other = first.get(showRef(ref))
    if (other === undefined) first.set(showRef(ref), at)
    if (other === undefined || reported.has(at)) return []
    reported.add(at)
    const related = [{ at: other, message: `is ${showRef(ref)} too` }]
    const help = 'rename one of them: case, "_", "." and networks make no difference to names in Kubernetes'
    return [error('DT1030', `two objects would both be ${showRef(ref)} in the cluster`, { at, help, related })]
  })
}
