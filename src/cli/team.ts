/** Commands that only a platform carries out. */
import type { PlatformOnly } from '../app/context/platform-of.ts'
import type { TeamCall, TeamPorts } from '../app/namespaces/namespaces.ts'
import type { CommandCall } from './command.ts'
import { type clusterFlags, type contextFlags, reachOf } from './flags/cluster.ts'
import type { Values } from './flags/flag.ts'

type Reach = Values<typeof contextFlags> & Partial<Values<typeof clusterFlags>>

/** `instead`: what to do on a plain cluster. */
export const teamOf = async (
  { env, interruption, ports }: CommandCall,
  given: Reach,
  only: PlatformOnly,
): Promise<{ readonly ports: TeamPorts; readonly call: TeamCall }> => ({
  ports: await ports(),
  call: { only, reach: reachOf(given), env, signal: interruption() },
})
