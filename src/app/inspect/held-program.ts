/** Reads the program that a container could not start, if a ConfigMap holds it. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Cause } from '../../domain/why/cause.ts'
import type { LineMeaning } from '../../domain/why/log-rule.ts'
import { heldFile, readHeld } from '../../domain/why/program.ts'
import type { Target } from '../context/target.ts'

/** Without permission to read the ConfigMap, nothing more is known. */
export const heldProgram = async (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  { logs, program }: Cause,
  signal: AbortSignal,
): Promise<LineMeaning | undefined> => {
  if (logs === undefined || program === undefined) return undefined
  const read = async (kind: 'Pod' | 'ConfigMap', name: string): Promise<ClusterObject | undefined> => {
    const found = await cluster.get({ resource: resources[kind], namespace, name }, signal)()
    return E.isRight(found) ? found.right : undefined
  }
  const pod = await read('Pod', logs.pod)
  const file = pod === undefined ? undefined : heldFile(pod, logs.container, program)
  const configMap = file === undefined ? undefined : await read('ConfigMap', file.configMap)
  return file === undefined || configMap === undefined ? undefined : readHeld(configMap, program, file.key)
}
