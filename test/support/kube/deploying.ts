/** Deploys to an API server in memory, with a clock that the test advances. */
import { deployPlan } from '../../../src/app/deploy/deploy.ts'
import type { Deployed, DeployRequest } from '../../../src/app/deploy/request.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { memoryClock } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { memoryMachine } from '../../memory/machine.ts'
import { memoryProgress } from '../../memory/progress.ts'
import { planOfYaml } from './live.ts'

export const plain = 'services: {web: {image: nginx}, old: {image: nginx}}'

export const clusterWith = (...objects: ReadonlyArray<JsonObject>): MemoryCluster =>
  memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'dev' } }, ...objects] })

export const deploymentOf = (cluster: MemoryCluster, compose: string): DeployRequest => ({
  target: { cluster, context: 'test', namespace: 'dev', settings: {}, isNamed: true, findings: [] },
  plan: planOfYaml(compose),
  source: {},
  settings: {},
  services: [],
  refusal: () => undefined,
  recorded: { destroyCommands: [], dependencies: [] },
  external: [],
  switchedOff: new Set(),
  isPartial: false,
  isWaiting: false,
  failsFast: false,
  jobs: { _tag: 'Changed' },
  force: false,
  breaksLock: false,
  purpose: { _tag: 'Deploy' },
  isAtomic: false,
  interrupted: new AbortController().signal,
  lockWaitMs: 0,
  signal: new AbortController().signal,
})

export const portsOf = () => ({
  clock: memoryClock(),
  machine: memoryMachine('me', 'me (1)'),
  progress: memoryProgress(),
})

export type DeployRun = {
  readonly deployed: Deployed
  readonly asked: ReadonlyArray<string>
  readonly said: ReadonlyArray<string>
}

/** Advances the clock until the run is over. */
export const deploy = async (
  cluster: MemoryCluster,
  compose: string,
  more: Partial<DeployRequest> = {},
  onTick: (ms: number) => void = () => {},
): Promise<DeployRun> => {
  const before = cluster.asked().length
  const ports = portsOf()
  const { clock, progress } = ports
  const result: { deployed?: Deployed } = {}
  const run = async (): Promise<void> => {
    result.deployed = await deployPlan(ports)({ ...deploymentOf(cluster, compose), ...more })
  }
  const running = run()
  for (let ms = 0; result.deployed === undefined && ms < 600_000; ms += 250) {
    onTick(ms)
    await clock.advance(250)
  }
  await running
  const { deployed } = result
  if (deployed === undefined) throw new Error('it never ended')
  return {
    deployed,
    asked: cluster
      .asked()
      .slice(before)
      .map(({ verb, what }) => `${verb} ${what}`),
    said: progress.events().flatMap((event) => (event._tag === 'Said' ? [event.text] : [])),
  }
}

export const codes = ({ deployed }: DeployRun): ReadonlyArray<string> => deployed.findings.map(({ code }) => code)
