/** What a controller of a platform works with, on a cluster in memory. */
import type { ControllerWorld } from '../../../src/app/platform/controller/world.ts'
import { usualLimits } from '../../../src/domain/platform/run/schedule.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { memoryClock } from '../../memory/clock.ts'

export const controllerWorld = (cluster: Cluster, more: Partial<ControllerWorld> = {}): ControllerWorld => ({
  cluster,
  clock: memoryClock(),
  holder: 'one',
  programs: { image: 'image', domain: 'apps.example.com', registry: '' },
  limits: usualLimits,
  mayWrite: async () => true,
  note: () => {},
  count: () => {},
  ...more,
})
