/**
 * The API server hangs or dies while a deploy runs. DEVTOOL_E2E_FAULT names the program that does it, called as
 * `PROGRAM kube-apiserver stop|cont|kill`; without it these tests are skipped.
 */
import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compose, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Lab } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'

const [program = '', ...words] = (process.env['DEVTOOL_E2E_FAULT'] ?? '').split(' ')

const fault = (action: 'stop' | 'cont' | 'kill'): void => {
  const { status, stderr } = spawnSync(program, [...words, 'kube-apiserver', action], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} kube-apiserver ${action}: ${stderr}`)
}

/** The server is frozen while `run` lasts. */
const frozen = async <A>(run: () => Promise<A>): Promise<A> => {
  fault('stop')
  try {
    return await run()
  } finally {
    fault('cont')
  }
}

const unless = ({ nodes }: Lab): string | undefined => {
  if (program === '') return 'DEVTOOL_E2E_FAULT is not set'
  return nodes.length === 0 ? 'needs a node' : undefined
}

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
            await frozen(() => sleep(pauseMs))
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
        const running = space.start('deploy', '--wait', '--timeout', '2m')
        await running.says('applying')
        fault('kill')
        const ended = await running.ended
        assert.is(ended.status, 0, shown(ended))
        process.stdout.write(`  with a restart it took ${(ended.ms / 1000).toFixed(1)} s\n`)
      },
    },
    {
      title: 'that stays away ends a deploy by its --timeout, and the next deploy completes it',
      space: 'away',
      unless,
      run: async (space) => {
        space.write('compose.yaml', app)
        const running = space.start('deploy', '--wait', '--timeout', '8s')
        await running.says('applying')
        const ended = await frozen(() => running.ended)
        assert.ok([6, 8].includes(ended.status), shown(ended))
        assert.ok(ended.ms < 30_000, `${ended.ms} ms`)
        process.stdout.write(`  --timeout 8s ended after ${(ended.ms / 1000).toFixed(1)} s with ${ended.status}\n`)
        await space.must('deploy', '--wait', '--break-lock')
        assert.is((await space.inside('web', 8080))?.trim(), 'web')
      },
    },
  ],
  1,
)

test.run()
