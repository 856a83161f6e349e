/** The API server hangs or dies while a deploy runs. Without a program that does it these tests are skipped. */
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compose, page } from '../support/e2e/apps.ts'
import { fault, frozen, noFaults } from '../support/e2e/cluster-fault.ts'
import { shown } from '../support/e2e/command.ts'
import type { Lab } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'

const server = ['kube-apiserver'] as const

const unless = ({ nodes }: Lab): string | undefined => noFaults ?? (nodes.length === 0 ? 'needs a node' : undefined)

const app = compose({ db: page('db'), web: page('web', 'ports: [8080]', 'depends_on: [db]') })
const pausesMs = (process.env['E2E_PAUSES'] ?? '5').split(',').map((seconds) => Number(seconds) * 1000)

const test = suite('the API server')

await scenarios(
  test,
  [
    ...pausesMs.map(
      (pauseMs) =>
        ({
          title: `may hang for ${pauseMs / 1000} s in the middle of a deploy`,
          space: `hangs-${pauseMs}`,
          unless,
          run: async (space) => {
            space.write('compose.yaml', app)
            const running = space.start('deploy', '--wait', '--timeout', '4m')
            await running.says('applying')
            await frozen(server, () => sleep(pauseMs))
            const ended = await running.ended
            assert.is(ended.status, 0, shown(ended))
            process.stdout.write(`  with a pause of ${pauseMs / 1000} s it took ${(ended.ms / 1000).toFixed(1)} s\n`)
          },
        }) satisfies Scenario,
    ),
    {
      title: 'may be killed and come back in the middle of a deploy',
      space: 'dies',
      unless,
      run: async (space) => {
        space.write('compose.yaml', app)
        const running = space.start('deploy', '--wait', '--timeout', '5m')
        await running.says('applying')
        fault(server, 'kill')
        const ended = await running.ended
        assert.is(ended.status, 0, shown(ended))
        process.stdout.write(`  with a restart it took ${(ended.ms / 1000).toFixed(1)} s\n`)
      },
    },
    {
      title: 'may stay away: the deploy ends at its --timeout, and the next deploy completes it',
      space: 'away',
      unless,
      run: async (space) => {
        space.write('compose.yaml', app)
        const running = space.start('deploy', '--wait', '--timeout', '30s')
        await running.says('applying')
        const ended = await frozen(server, () => running.ended)
        assert.is(ended.status, 6, shown(ended))
        process.stdout.write(`  --timeout 30s ended after ${(ended.ms / 1000).toFixed(1)} s\n`)
        await space.must('deploy', '--wait', '--break-lock')
        await space.serves('web', 'web')
      },
    },
  ],
  1,
)

test.run()
