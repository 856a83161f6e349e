/**
 * Volumes over folders that only the image fills: Docker copies those files into a new volume, a claim begins empty.
 */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import type { ShapeMember, ValueOf } from '../../shape/shape.ts'
import { listed } from '../../text/listed.ts'
import type { namedVolumeShape } from '../fields/volumes.ts'
import type { ComposeService } from '../model.ts'
import type { Mount } from '../volume-model.ts'
import { byFile, placesOf } from './by-file.ts'

const isInstalled = ({ target }: Mount): boolean =>
  /\/(?:node_modules|bower_components|vendor|\.?venv)\/?$/.test(target)

type Raw = ValueOf<typeof namedVolumeShape>['value']

const isFilled = (volume: Raw | undefined): boolean =>
  volume !== undefined && (volume['x-devtool-volume-init']?.value === true || volume.external !== undefined)

/** DT1140. */
export const emptyVolumes = (
  services: ReadonlyArray<ComposeService>,
  volumes: ReadonlyArray<ShapeMember<ValueOf<typeof namedVolumeShape> | undefined>>,
): ReadonlyArray<Diagnostic> => {
  const filled = new Set(volumes.flatMap(({ key, value }) => (isFilled(value?.value) ? [key.text] : [])))
  const isEmpty = (mount: Mount): boolean =>
    mount._tag === 'Anonymous' || (mount._tag === 'Named' && !filled.has(mount.volume))
  const found = services.flatMap(({ mounts }) => mounts.filter((mount) => isInstalled(mount) && isEmpty(mount)))
  return byFile(found).map((mounts) => {
    const targets = listed(mounts.map(({ target }) => target))
    const message = `a claim begins empty, and hides what the image has in ${targets}`
    const help = 'remove the volume, or name it and give it x-devtool-volume-init: true'
    return warning('DT1140', message, { ...placesOf(mounts, 'here too'), help })
  })
}
