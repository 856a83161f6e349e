import { as } from '../../shape/parse.ts'
import type { Located } from '../../shape/shape.ts'

/** `from`: the service, or nothing for a container outside the file. */
export type VolumeSource = { readonly from: Located<string> | undefined; readonly isReadOnly: boolean }

/**
 * What an item of `volumes_from` names: `service`, `service:ro`, `container:NAME` or `container:NAME:ro`. `containers`
 * are the services by their `container_name`.
 */
export const volumeSource = (item: Located<string>, containers: ReadonlyMap<string, string>): VolumeSource => {
  const [first = '', ...rest] = item.value.split(':')
  const isContainer = first === 'container'
  const name = isContainer ? containers.get(rest[0] ?? '') : first
  const mode = isContainer ? rest[1] : rest[0]
  return { from: name === undefined ? undefined : as(name, item), isReadOnly: mode === 'ro' }
}
