/**
 * Disturbed deploys and destroys: the command is killed after a certain write, or the connection to the API server is
 * faulty. No nodes are needed, since nothing is awaited.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { KnownKind } from '../../../src/domain/cluster/resources.ts'
import { until } from '../process/until.ts'
import { compose } from './apps.ts'
import { fault, frozen } from './cluster-fault.ts'
import { type CommandResult, shown } from './command.ts'
import type { Space } from './e2e.ts'
import { drawOf } from './fault-plan.ts'
import { type Outage, underFaults } from './fault-proxy.ts'

const kubeconfig = (): string => process.env['KUBECONFIG'] ?? ''
const way = 'faults'

/** Beside the Compose file: commands run while others wait, and once all is deleted. */
const manifest = `deploy:
  commands: [sleep 0.3; echo deployed by a command]
  compose: compose.yaml
destroy: [sleep 0.3; echo destroyed by a command]
`

/** Every kind of object that a Compose file results in, and no pods. */
const variedApp = compose(
  {
    web: ['image: busybox:latest', 'scale: 0', 'ports: ["8080:8080"]', 'configs: [settings]', 'secrets: [password]'],
    db: ['image: busybox:latest', 'scale: 0', 'volumes: ["data:/data"]'],
  },
  'volumes: {data: {}}',
  'configs: {settings: {content: "a=1"}}',
  'secrets: {password: {environment: PASSWORD}}',
)
export const variedOptions = { env: { PASSWORD: 'open sesame' } }

const kinds: ReadonlyArray<KnownKind> = [
  'ConfigMap',
  'Secret',
  'PersistentVolumeClaim',
  'Service',
  'Deployment',
  'StatefulSet',
  'Job',
  'Ingress',
  'Lease',
]

/** `Kind/name` of all objects that are not being deleted, except for those that every namespace has. */
const present = async ({ list }: Space): Promise<ReadonlyArray<string>> => {
  const lists = await Promise.all(kinds.map((kind) => list(kind)))
  return lists
    .flat()
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined && metadata.name !== 'kube-root-ca.crt')
    .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
    .toSorted()
}

type KillResult = { readonly wasKilled: boolean; readonly writes: number; readonly ended: CommandResult }

/** Sends SIGKILL once the server has done the write with this number. */
const killAfter = async (space: Space, write: number, args: ReadonlyArray<string>): Promise<KillResult> => {
  const [command = '', ...flags] = args
  let [writes, kill]: [number, () => void] = [0, () => {}]
  const afterWrite = (count: number): void => {
    writes = count
    if (count === write) kill()
  }
  return underFaults(kubeconfig(), { seed: 0, afterWrite }, async (proxy) => {
    const running = space.through(proxy.kubeconfig, way).start(command, ...flags)
    kill = () => running.child.kill('SIGKILL')
    const ended = await running.ended
    return { wasKilled: ended.status === 137, writes, ended }
  })
}

const destroyed = ['destroy', '--volumes', '--wait'] as const
const waited = ['deploy', '--wait'] as const

/** Asks the server itself, so that a failure of the command is not taken for a difference. */
const nothingDiffers = async (space: Space, title: string): Promise<void> => {
  const compared = await space.run('deploy', '--diff')
  assert.is(compared.status, 0, `${title}: ${shown(compared)}`)
}

/** Kills a deploy after each of its writes, then deploys again; the number of writes. */
export const killedDeploys = async (space: Space): Promise<number> => {
  space.write('compose.yaml', variedApp)
  await space.must('deploy')
  const whole = await present(space)
  await space.must(...destroyed)
  for (let write = 1; ; write += 1) {
    const { ended, wasKilled } = await killAfter(space, write, ['deploy'])
    if (!wasKilled) {
      assert.is(ended.status, 0, shown(ended))
      return write - 1
    }
    await space.must('deploy', '--break-lock')
    assert.equal(await present(space), whole, `after a kill at write ${write}`)
    await nothingDiffers(space, `after a kill at write ${write}`)
    await space.must(...destroyed)
    assert.equal(await present(space), [], `destroyed after a kill at write ${write}`)
  }
}

/** Kills a destroy after each of its writes, then destroys again; the number of writes. */
export const killedDestroys = async (space: Space): Promise<number> => {
  space.write('compose.yaml', variedApp)
  for (let write = 1; ; write += 1) {
    await space.must('deploy')
    const { ended, wasKilled } = await killAfter(space, write, [...destroyed])
    if (!wasKilled) {
      assert.is(ended.status, 0, shown(ended))
      return write - 1
    }
    const second = await space.run(...destroyed, '--break-lock')
    // 5: the first destroy got so far that the environment no longer exists.
    assert.ok([0, 5].includes(second.status), `after a kill at write ${write}: ${shown(second)}`)
    assert.equal(await present(space), [], `after a kill at write ${write}`)
  }
}

/** `runs`: how many commands it took, at least two. `calls`: how many requests they sent. */
export type Cycle = { readonly runs: number; readonly calls: number; readonly ms: number }

const rates = { Throttled: 0.1, Broken: 0.025, Unavailable: 0.025, ResetBefore: 0.01, ResetAfter: 0.01 }
const mostRuns = 3
/**
 * The statuses allowed under faults. 1: something failed. 4: a 401. 7: another run seemed to be active. 8: not
 * reachable.
 */
const honest: ReadonlySet<number> = new Set([0, 1, 4, 5, 7, 8])

const untilDone = async (run: () => Promise<CommandResult>): Promise<number> => {
  const failed: Array<CommandResult> = []
  for (;;) {
    const ended = await run()
    if (ended.status === 0) return failed.length + 1
    failed.push(ended)
    assert.ok(honest.has(ended.status) && failed.length < mostRuns, failed.map(shown).join('\n'))
  }
}

/**
 * One deploy and one destroy, with the faults of the seed if there is one. A command that fails is run again, at most
 * twice.
 */
export const cycle = async (space: Space, seed?: number): Promise<Cycle> => {
  space.write('compose.yaml', variedApp)
  const begin = performance.now()
  const faulty = { seed: seed ?? 0, ...(seed === undefined ? {} : { rates, isFirstWriteRefused: true }) }
  return underFaults(kubeconfig(), faulty, async (proxy) => {
    const { run } = space.through(proxy.kubeconfig, way)
    const deploys = await untilDone(() => run('deploy', '--break-lock'))
    await nothingDiffers(space, 'not all was deployed')
    const destroys = await untilDone(() => run(...destroyed, '--break-lock'))
    assert.equal(await present(space), [])
    return { runs: deploys + destroys, calls: proxy.log().length, ms: performance.now() - begin }
  })
}

/** How many requests a run sends without any fault, by its words. */
const counted = new Map<string, number>()

const requestsOf = async (space: Space, args: ReadonlyArray<string>): Promise<number> => {
  const known = counted.get(args.join(' '))
  if (known !== undefined) return known
  const [command = '', ...flags] = args
  const count = await underFaults(kubeconfig(), { seed: 0 }, async (proxy) => {
    await space.through(proxy.kubeconfig, way).must(command, ...flags)
    return proxy.log().length
  })
  counted.set(args.join(' '), count)
  return count
}

const isThere = (): boolean => true
const isAway = (): boolean => false

const server = ['kube-apiserver'] as const

const real = async (what: Outage, ms: number): Promise<void> => {
  if (what === 'Killed') fault(server, 'kill')
  else await frozen(server, () => sleep(ms))
}

/** `what` happened at request `at`; `status`: the exit status of the deploy during which it happened. */
export type OutageResult = { readonly what: Outage; readonly at: number; readonly ms: number; readonly status: number }

/**
 * The API server dies or hangs at a random moment of a deploy, for up to 6 seconds. The deploy succeeds or reports that
 * the server cannot be reached; the next one completes the environment, and a destroy leaves nothing. `isReal`: not the
 * connections but the process of the server, which takes the time it takes to start again.
 */
export const outaged = async (space: Space, seed: number, isReal = false): Promise<OutageResult> => {
  space.write('compose.yaml', variedApp)
  space.write('devtool.yml', manifest)
  const requests = await requestsOf(space, waited)
  await space.must(...destroyed)
  const what: Outage = seed % 2 === 0 ? 'Killed' : 'Paused'
  const at = 1 + Math.floor(drawOf(seed, 'at') * requests)
  const ms = Math.round(100 + drawOf(seed, 'ms') ** 2 * 5900)
  let begin = (): void => {}
  const onRequest = (count: number): void => {
    if (count === at) begin()
  }
  return underFaults(kubeconfig(), { seed, onRequest }, async (proxy) => {
    begin = isReal ? () => void real(what, ms) : () => proxy.outage(what, ms)
    const { run } = space.through(proxy.kubeconfig, way)
    const { status } = await run(...waited)
    if (isReal) await until('the API server is back', () => space.list('Lease').then(isThere, isAway), 120_000)
    assert.ok([0, 1, 8].includes(status), `a deploy met by ${what} at request ${at} for ${ms} ms ended with ${status}`)
    if (status !== 0) await space.must('deploy', '--break-lock')
    await nothingDiffers(space, 'not all was deployed')
    await space.must(...destroyed)
    assert.equal(await present(space), [])
    return { what, at, ms, status }
  })
}

const answersAfterMs = 300
const interrupts = ['SIGINT', 'SIGHUP', 'SIGTERM'] as const

const interruptible = [waited, destroyed, ['rollback', '--yes', '--wait']] as const

/**
 * Interrupts a deploy, destroy or rollback at a random moment while responses are slow: after a request was sent, before
 * or after its response. No lock may be left behind. Whether it was interrupted.
 */
export const interrupted = async (space: Space, seed: number): Promise<boolean> => {
  const args = interruptible[Math.floor(seed / interrupts.length) % interruptible.length] ?? interruptible[0]
  const [command, ...flags] = args
  const prepare = async (): Promise<void> => {
    space.write('devtool.yml', manifest)
    if (command !== 'deploy') {
      space.write('compose.yaml', variedApp.replace('a=1', 'a=2'))
      await space.must('deploy')
    }
    space.write('compose.yaml', variedApp)
    if (command === 'rollback') await space.must('deploy')
  }
  await prepare()
  if (!counted.has(args.join(' '))) {
    await requestsOf(space, args)
    await prepare()
  }
  const requests = await requestsOf(space, args)
  const at = 1 + Math.floor(drawOf(seed, 'at') * requests)
  const ms = Math.round(drawOf(seed, 'ms') * 1.5 * answersAfterMs)
  const by = interrupts[seed % interrupts.length]
  let interrupt = (): void => {}
  const onRequest = (count: number): void => {
    if (count === at) setTimeout(() => interrupt(), ms)
  }
  const slow = { seed, rates: { Delayed: 1 }, delayMs: answersAfterMs, onRequest }
  return underFaults(kubeconfig(), slow, async (proxy) => {
    const running = space.through(proxy.kubeconfig, way).start(command, ...flags)
    interrupt = () => running.child.kill(by)
    const ended = await running.ended
    assert.ok([0, 129, 130, 143].includes(ended.status), shown(ended))
    const leases = await space.list('Lease')
    assert.equal(
      leases.map(({ metadata }) => metadata.name),
      [],
      `${command}: ${by} ${ms} ms after request ${at}: ${shown(ended)}`,
    )
    process.stdout.write(`  ${command}: ${by} ${ms} ms after request ${at}: ${ended.status}\n`)
    return ended.status !== 0
  })
}
