/**
 * A dry run of a workload's pod: a namespace admits every workload, but may later refuse the pods that its controller
 * creates.
 */
import type { Failure } from '../cluster/failure.ts'
import { isObject, type Json, type JsonObject } from '../cluster/json.ts'
import { podSecurityHelp } from '../cluster/pod-security.ts'
import { type Diagnostic, placed, warning } from '../diagnostic/diagnostic.ts'
import type { KubeObject, PodVolume } from '../k8s/types.ts'
import { printJsonLine } from '../print/json.ts'
import { type Action, refOf, showRef } from './action.ts'
import { placesIn } from './origins.ts'
import { isWorkload } from './versions.ts'

/** Volumes that the controller would add. */
const claimed = (object: KubeObject): ReadonlyArray<PodVolume> =>
  object.kind === 'StatefulSet'
    ? (object.spec.volumeClaimTemplates ?? []).map(({ metadata: { name } }) => ({ name, emptyDir: {} }))
    : []

/** `undefined` for objects that create no pods. */
export const trialPod = (object: KubeObject): JsonObject | undefined => {
  if (!isWorkload(object)) return undefined
  const { metadata, spec } = object.spec.template
  const volumes = [...(spec.volumes ?? []), ...claimed(object)]
  const name = `${object.metadata.name.slice(0, 50)}-dry-run`
  const pod: Json = JSON.parse(
    printJsonLine({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name }, spec: { ...spec, volumes } }),
  )
  return isObject(pod) ? pod : undefined
}

/** DT3132 when Pod Security refuses the pod; other refusals of a pod on its own say nothing about the workload. */
export const podRefused = ({ object, origins }: Action<'Apply'>, failure: Failure): ReadonlyArray<Diagnostic> => {
  const help = failure._tag === 'Refused' ? podSecurityHelp(failure.message) : undefined
  if (failure._tag !== 'Refused' || help === undefined) return []
  const why = failure.message.slice(failure.message.indexOf('violates PodSecurity'))
  const message = `${showRef(refOf(object))}: its pods will be refused: ${why}`
  return [placed(placesIn(origins)(''), warning('DT3132', message, { help }))]
}
