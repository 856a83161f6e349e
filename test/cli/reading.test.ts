/** Commands that only read say nothing about an environment unless the cluster told them all of it in time. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { main } from '../../src/cli/main.ts'
import { settle } from '../memory/clock.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { silentCluster } from '../memory/silent.ts'
import { diskOf, worldOf } from '../support/cli/cli.ts'

const run = async (argv: ReadonlyArray<string>, interruption = new AbortController().signal) => {
  const clusters = memoryClusters(new Map([['test', silentCluster('demo')]]), new Map([['test', 'demo']]))
  const disk = diskOf({ 'compose.yaml': 'name: shop\nservices: {web: {image: nginx}}\n' })
  const { err, out, world } = worldOf({ disk, memory: { ports: { clusters } } })
  let isAbandoned = false
  const abandoned = (): void => {
    isAbandoned = true
  }
  const status = await main(argv, { ...world, interruption: () => interruption, abandoned })
  return { isAbandoned, status, out: out(), err: err(), files: [...disk.keys()] }
}

const test = suite('reading')

const report = 'devtool-doctor-20261121100000.zip'

for (const command of ['list', 'list shop', 'why', 'endpoints', 'doctor', 'doctor --check']) {
  const argv = command.split(' ')
  // The report has what is known without the cluster.
  const written = command === 'doctor' ? [report] : []
  const named = written.map((file) => `${file}\n`).join('')

  test(`${command} gives up after 30 seconds with status 8`, async () => {
    const { err, files, out, status } = await run(argv)
    assert.equal([status, out, files], [8, named, ['compose.yaml', ...written]])
    assert.match(err, 'DT3170: the API server did not respond within 30 s')
  })

  test(`${command} gives up at its --timeout with status 6`, async () => {
    const { err, isAbandoned, out, status } = await run([...argv, '--timeout', '2s'])
    assert.equal([status, out, isAbandoned], [6, named, true])
    assert.match(err, 'DT3120')
  })

  test(`${command} ends at the first Ctrl-C`, async () => {
    const stop = new AbortController()
    const running = run(argv, stop.signal)
    await settle(200)
    stop.abort('SIGINT')
    const { files, out, status } = await running
    assert.equal([status, out, files], [130, '', ['compose.yaml']])
  })
}

for (const flag of ['--diff', '--dry-run=server', '--yes']) {
  test(`deploy ${flag} that times out during its first reads has status 6`, async () => {
    const { err, out, status } = await run(['deploy', flag, '--timeout', '2s'])
    assert.equal([status, out], [6, ''], err)
  })
}

test.run()
