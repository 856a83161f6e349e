/** Claims that pods wait for: missing, of an unknown storage class, or without a volume. */
import { listAt, textAt } from '../cluster/json.ts'
import { type ClusterObject, liveOf } from '../cluster/live.ts'
import type { Cause } from './cause.ts'
import { causeOf, evidence, type Finding, kubectl, newest, type Scene } from './scene.ts'
import { isStuck, refusalOfScheduler } from './scheduling.ts'

const claimNames = (pod: ClusterObject): ReadonlyArray<string> =>
  listAt(pod, 'spec', 'volumes').flatMap((volume) => textAt(volume, 'persistentVolumeClaim', 'claimName') ?? [])

const className = (claim: ClusterObject): string | undefined => textAt(claim, 'spec', 'storageClassName')

type Explanation = Pick<Finding, 'code' | 'message' | 'help' | 'next'>

const sayUnbound = (scene: Scene, claim: ClusterObject, text: string): Explanation => {
  const [name, storageClass] = [claim.metadata.name, className(claim)]
  const [, missing] = /storageclass\.storage\.k8s\.io "([^"]+)" not found/.exec(text) ?? []
  if (missing !== undefined) {
    return {
      code: 'DT3212',
      message: `the claim ${name} asks for the storage class ${missing}, which the cluster does not have`,
      help: 'name another class (driver_opts.class of the volume), or have this one created; a claim keeps its class, so delete the claim first',
      next: ['kubectl', 'get', 'storageclasses'],
    }
  }
  if (textAt(claim, 'status', 'phase') === 'Lost') {
    return {
      code: 'DT3213',
      message: `the volume of the claim ${name} is gone`,
      help: 'restore the volume, or delete the claim and its data',
      next: kubectl(scene, 'describe', 'persistentvolumeclaim', name),
    }
  }
  const why =
    storageClass === undefined || storageClass === ''
      ? 'it names no storage class, and no free volume matches'
      : `the storage class ${storageClass} has not provisioned a volume yet`
  return {
    code: 'DT3213',
    message: `the claim ${name} has no volume: ${why}`,
    help: 'name a storage class of the cluster (driver_opts.class of the volume), or have a volume provisioned',
    next: kubectl(scene, 'describe', 'persistentvolumeclaim', name),
  }
}

const unbound = (scene: Scene, pod: ClusterObject, claim: ClusterObject, refusal: string): ReadonlyArray<Cause> => {
  const phase = textAt(claim, 'status', 'phase')
  if (phase === 'Bound') return []
  const said = newest(scene, claim, ({ reason }) => reason === 'ProvisioningFailed' || reason === 'FailedBinding')
  // With `WaitForFirstConsumer` a claim stays pending until its pod is scheduled, so it is not the cause.
  const isWaited = /unbound immediate|persistent volumes to bind/.test(refusal)
  if (phase !== 'Lost' && said === undefined && !isWaited) return []
  return [
    causeOf(scene, claim, {
      ...sayUnbound(scene, claim, said?.message ?? ''),
      isFinal: isStuck(scene, pod),
      ...evidence(said),
    }),
  ]
}

export const claimCauses = (scene: Scene, pod: ClusterObject): ReadonlyArray<Cause> => {
  if (textAt(pod, 'spec', 'nodeName') !== undefined) return []
  const refusal = refusalOfScheduler(pod) ?? ''
  const [, absent] = /persistentvolumeclaim "([^"]+)" not found/.exec(refusal) ?? []
  const missing =
    absent === undefined
      ? []
      : [
          causeOf(scene, pod, {
            code: 'DT3212',
            message: `the claim ${absent} does not exist`,
            help: `create it in the namespace ${scene.namespace}, or let devtool create it: a volume without external: true`,
            next: kubectl(scene, 'get', 'persistentvolumeclaims'),
            isFinal: isStuck(scene, pod),
            event: `FailedScheduling: ${refusal}`,
          }),
        ]
  const pending = claimNames(pod).flatMap((name) => {
    const claim = liveOf(scene.observed, 'PersistentVolumeClaim', name)
    return claim === undefined ? [] : unbound(scene, pod, claim, refusal)
  })
  const known = [...missing, ...pending]
  if (known.length > 0 || !/unbound immediate|persistent volumes to bind/.test(refusal)) return known
  return [
    causeOf(scene, pod, {
      code: 'DT3213',
      message: `a claim has no volume: ${claimNames(pod).join(', ')}`,
      help: 'see the events of the claim',
      next: kubectl(scene, 'describe', 'persistentvolumeclaims'),
      isFinal: isStuck(scene, pod),
      event: `FailedScheduling: ${refusal}`,
    }),
  ]
}
