/** Kills and faults, in a form that is short enough for every run; `npm run soak` is the long one. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compose, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import { cycle, interrupted, killedDeploys, killedDestroys, outaged, variedOptions } from '../support/e2e/cycles.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { underFaults } from '../support/e2e/fault-proxy.ts'
import { scenarios } from '../support/e2e/scenarios.ts'

const say = (text: string): boolean => process.stdout.write(`  ${text}\n`)
const noNodes = ({ nodes }: { readonly nodes: ReadonlyArray<unknown> }): string | undefined =>
  nodes.length === 0 ? 'needs a node' : undefined

const cycles = Number(process.env['E2E_CYCLES'] ?? 30)
const lanes = 3
const outages = Number(process.env['E2E_OUTAGES'] ?? 6)
const interruptions = 12
/** Nodes on which pods are ready at once and cost nothing, as those of kwok. */
const [fakeKey = '', fakeValue = ''] = (process.env['E2E_FAKE_NODES'] ?? '').split('=')

/** While nothing changes. */
const mostPerSecond = 20
/** By then one service is applied, also when many requests have to be repeated. */
const appliedMs = 12_000
const troubles = [
  ['watches are cut at their first event', { eventRates: { Cut: 1 } }],
  ['watches expire at their first event', { eventRates: { Gone: 1 } }],
  ['half of the requests fail', { rates: { Unavailable: 0.5 } }],
] as const

const test = suite('reliability')

await scenarios(test, [
  {
    title: 'a deploy that is killed after any of its writes is completed by the next',
    space: 'killed',
    options: variedOptions,
    run: async (space) => {
      const writes = await killedDeploys(space)
      assert.ok(writes > 8, `only ${writes} writes`)
      say(`a deploy was killed after each of its ${writes} writes`)
    },
  },
  {
    title: 'a destroy that is killed after any of its writes is completed by the next',
    space: 'gone',
    options: variedOptions,
    run: async (space) => {
      const writes = await killedDestroys(space)
      assert.ok(writes > 8, `only ${writes} writes`)
      say(`a destroy was killed after each of its ${writes} writes`)
    },
  },
  ...Array.from({ length: lanes }, (_, lane) => ({
    title: `deploy and destroy converge under throttling, errors, resets and conflicts (${lane + 1} of ${lanes})`,
    space: `cycles-${lane}`,
    options: variedOptions,
    run: async (space: Space) => {
      const usual = await cycle(space)
      let [calls, runs, done] = [0, 0, 0]
      for (let seed = lane + 1; seed <= cycles; seed += lanes) {
        const one = await cycle(space, seed)
        ;[calls, runs, done] = [calls + one.calls, runs + one.runs, done + 1]
      }
      const ratio = calls / done / usual.calls
      say(`${done} cycles, ${runs} commands, ${ratio.toFixed(2)} times the calls (${usual.calls})`)
      assert.ok(ratio <= 2, `${ratio} times the calls`)
    },
  })),
  {
    title: 'a deploy survives an API server that dies or hangs at any moment, or the next one completes it',
    space: 'outages',
    options: variedOptions,
    run: async (space) => {
      for (let seed = 1; seed <= outages; seed += 1) {
        const { at, ms, status, what } = await outaged(space, seed)
        say(`${what} at request ${at} for ${ms} ms: status ${status}`)
      }
    },
  },
  {
    title:
      'deploy, destroy and rollback leave no lock when they are interrupted at any moment, though the API server is slow',
    space: 'interrupted',
    options: variedOptions,
    run: async (space) => {
      let cut = 0
      for (let seed = 1; seed <= interruptions; seed += 1) if (await interrupted(space, seed)) cut += 1
      say(`${cut} of ${interruptions} commands were interrupted`)
      assert.ok(cut * 2 > interruptions)
    },
  },
  ...[1, 2, 3].map((seed) => ({
    title: `a deploy is not misled by duplicate or lost events and cut or expired watches (seed ${seed})`,
    space: `watch-${seed}`,
    unless: noNodes,
    run: async (space: Space) => {
      space.write('compose.yaml', compose({ db: page('db'), web: page('web', 'depends_on: [db]') }))
      const eventRates = { Doubled: 0.1, Dropped: 0.1, Cut: 0.1, Gone: 0.1 }
      await underFaults(process.env['KUBECONFIG'] ?? '', { seed, eventRates }, async ({ kubeconfig }) => {
        await space.through(kubeconfig, 'faults').must('deploy', '--wait', '--timeout', '5m')
      })
    },
  })),
  {
    title: 'a hundred services are deployed within a minute, sixteen requests at a time',
    space: 'hundred',
    unless: ({ nodes }) =>
      nodes.some(({ metadata }) => metadata.labels?.[fakeKey] === fakeValue && fakeKey !== '')
        ? undefined
        : 'no node has the label E2E_FAKE_NODES=key=value',
    run: async (space) => {
      const service = ['image: busybox:latest', 'ports: [8080]', `x-node-selector: {${fakeKey}: "${fakeValue}"}`]
      const names = Array.from({ length: 100 }, (_, index) => `service-${index}`)
      space.write('compose.yaml', compose(Object.fromEntries(names.map((name) => [name, service]))))
      const { ms } = await space.must('deploy', '--wait', '--timeout', '10m')
      say(`a hundred services took ${(ms / 1000).toFixed(1)} s`)
      assert.ok(ms < 60_000, `${ms} ms`)
      await space.must('deploy', '--diff')
      await space.must('destroy', '--wait')
      assert.equal(await space.list('Deployment'), [])
    },
  },
  {
    title: 'a deploy whose watches fall silent still sees that its services are ready',
    space: 'silent',
    unless: noNodes,
    run: async (space) => {
      space.write('compose.yaml', compose({ web: page('web') }))
      const options = { seed: 1, eventRates: { Silent: 1 } }
      await underFaults(process.env['KUBECONFIG'] ?? '', options, async ({ kubeconfig }) => {
        const ended = await space.through(kubeconfig, 'faults').run('deploy', '--wait', '--timeout', '5m')
        assert.is(ended.status, 0, shown(ended))
        say(`a deploy with silent watches took ${(ended.ms / 1000).toFixed(1)} s`)
      })
    },
  },
  {
    title: `a deploy that waits asks at most ${mostPerSecond} times a second, whatever fails`,
    space: 'waits',
    unless: noNodes,
    run: async (space) => {
      const never = 'healthcheck: {test: [CMD, "false"], start_period: 5m}'
      const service = ['image: busybox:1.37', 'command: sleep 1000', never]
      await Promise.all(
        troubles.map(async ([trouble, faults], index) => {
          const name = `waits-${index}`
          space.write(`${name}.yaml`, compose({ [name]: service }))
          const [begin, times]: [number, Array<number>] = [performance.now(), []]
          const onRequest = (): void => void times.push(performance.now() - begin)
          await underFaults(process.env['KUBECONFIG'] ?? '', { seed: 1, ...faults, onRequest }, async (proxy) => {
            const { run } = space.through(proxy.kubeconfig, 'faults')
            const ended = await run('deploy', '--file', `${name}.yaml`, '--name', name, '--wait', '--timeout', '30s')
            assert.is(ended.status, 6, shown(ended))
          })
          const waiting = times.filter((ms) => ms > appliedMs)
          const inSecond = (from: number): number => waiting.filter((ms) => ms >= from && ms < from + 1000).length
          const busiest = Math.max(0, ...waiting.map(inSecond))
          say(`${trouble}: ${waiting.length} requests while it waited, at most ${busiest} in a second`)
          assert.ok(waiting.length > 0 && busiest <= mostPerSecond)
        }),
      )
    },
  },
])

test.run()
