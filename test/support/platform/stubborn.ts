/** A platform whose destroy commands fail. */
import { STATUS_ANNOTATION } from '../../../src/domain/k8s/labels.ts'
import { putPreview } from './runs.ts'
import { type TestPlatform, testPlatform } from './world.ts'

/** Its preview `look` is kept when it is destroyed. */
export const stubborn = (): TestPlatform => {
  const platform = testPlatform()
  putPreview(platform)
  platform.cluster.onChange(({ object }) => {
    const { annotations } = object.metadata
    if (annotations?.[STATUS_ANNOTATION] !== 'Deleting') return
    const failed = { ...object.metadata, annotations: { ...annotations, [STATUS_ANNOTATION]: 'DeleteFailed' } }
    setImmediate(() => platform.cluster.put({ ...object, metadata: failed }))
  })
  return platform
}
