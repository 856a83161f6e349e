/** The namespace was put to sleep before. */
import * as assert from 'uvu/assert'
import { sleepNamespace } from '../../../src/app/sleep/sleep.ts'
import type { Ports } from '../../../src/ports/ports.ts'
import type { MemoryCluster } from '../../memory/cluster.ts'

export const asleep = async (world: Ports & { readonly cluster: MemoryCluster }): Promise<Ports> => {
  const target = {
    cluster: world.cluster,
    context: 'test',
    namespace: 'default',
    settings: {},
    isNamed: true,
    findings: [],
  }
  const { signal } = new AbortController()
  const { value } = await sleepNamespace({ ...world, progress: { tell: () => {}, end: () => {} } })({
    target,
    isYes: true,
    signal,
  })
  assert.is(value?.workloads.length, 2)
  return world
}
