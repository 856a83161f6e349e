/** Machines whose clocks are wrong by an hour, in either direction. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at } from '../../src/domain/cluster/json.ts'
import { shown, startDevtool } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'

const hour = 3_600_000
const agentImage = { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' }

/** Another machine, whose clock is wrong by so many milliseconds. */
const machine = (space: Space, host: string, ms: number) => {
  const script = `import os from "node:os"; os.hostname = () => "${host}"; const True = Date;
    globalThis.Date = class extends True { static now() { return True.now() + ${ms} }
      constructor(...given) { super(...(given.length === 0 ? [True.now() + ${ms}] : given)) } }`
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(script)}`]
  const { KUBECONFIG = '', PATH = '' } = process.env
  const home = `${space.folder}/${host}`
  const env = { PATH, HOME: home, NO_COLOR: '1', KUBECONFIG, DEVTOOL_NAMESPACE: space.namespace, ...agentImage }
  const start = (...args: ReadonlyArray<string>) => startDevtool(args, { cwd: space.folder, env, nodeArgs })
  return { start, run: (...args: ReadonlyArray<string>) => start(...args).ended }
}

const differing =
  (aheadMs: number) =>
  async (space: Space): Promise<void> => {
    space.write('devtool.yml', 'dev:\n  api:\n    workdir: /tmp\n    persistentVolume: { enabled: false }\n')
    await space.create('Deployment', sleeping())
    const [here, there] = [machine(space, 'here', aheadMs), machine(space, 'there', -aheadMs)]
    const up = here.start('up', '--yes', '--command', 'echo ready; sleep 1000')
    await up.says('ready')

    const refused = await there.run('up', '--yes', '--command', 'true')
    assert.is(refused.status, 7, shown(refused))
    const [, since = ''] = /DT5005: Deployment\/api is developed by you on here since (\S+)/.exec(refused.stderr) ?? []
    const [record] = await space.list('ConfigMap', 'dev.devtool/kind=up')
    const created = Date.parse(record?.metadata.creationTimestamp ?? '')
    assert.ok(Math.abs(Date.parse(since) - created) < hour / 4, `${since}, but its record was made at ${created}`)

    const ran = await there.run('exec', 'api', '--', 'sh', '-c', 'echo beside; exit 3')
    assert.equal([ran.status, ran.stdout], [3, 'beside\n'], shown(ran))
    const taken = await there.run('up', '--yes', '--take-over', '--reset', '--command', 'echo second')
    assert.equal([taken.status, taken.stdout], [0, 'second\n'], shown(taken))
    const ended = await up.ended
    assert.is(ended.status, 5, shown(ended))

    const down = await here.run('down', 'api')
    assert.is(down.status, 0, shown(down))
    assert.is(at(await space.get('Deployment', 'api'), 'spec', 'replicas'), 2)
    assert.equal(await space.list('ConfigMap', 'dev.devtool/kind=up'), [])
  }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'a session of a machine that is an hour ahead is not taken for a dead one',
    space: 'dev-ahead',
    run: differing(hour),
  },
  { title: 'nor is one of a machine that is an hour behind', space: 'dev-behind', run: differing(-hour) },
]

const test = suite('dev-clocks')
await scenarios(test, all)
test.run()
