/** `--timeout` is status 6, whichever request the API server stops to answer. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Cluster } from '../../src/ports/cluster.ts'
import { type MemoryCluster, memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { silentAfter } from '../memory/silent.ts'
import { devtool } from '../support/cli/cli.ts'
import { withControllers } from '../support/kube/controllers.ts'

const file = (tag: string): string =>
  `name: shop\nservices:\n  db: {image: "nginx:${tag}"}\n  web: {image: "nginx:${tag}", ports: [80], depends_on: [db]}\n`

const run = (cluster: Cluster, words: ReadonlyArray<string>, tag = '2') =>
  devtool(words, {
    files: { 'compose.yaml': file(tag) },
    memory: {
      digests: new Map(['1', '2'].map((one) => [`docker.io/library/nginx:${one}`, 'sha256:1'])),
      ports: { clusters: memoryClusters(new Map([['test', cluster]]), new Map([['test', 'demo']])) },
    },
  })

/** With two deployments of the environment. */
const deployed = async (): Promise<MemoryCluster> => {
  const cluster = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } }] })
  withControllers(cluster)
  for (const tag of ['1', '2']) assert.is((await run(cluster, ['deploy', '--yes'], tag)).status, 0)
  return cluster
}

/** That many moments of a run are tried. */
const moments = 6

for (const [command, done] of [
  ['deploy --wait', 'deployed shop'],
  ['rollback --wait', 'shop is back at'],
  ['destroy', 'destroyed environment shop'],
] as const) {
  const words = [...command.split(' '), '--yes', '--timeout', '20s']

  test(`${command} ends with 6 unless everything is done already`, async () => {
    const whole = silentAfter(await deployed(), Number.POSITIVE_INFINITY)
    const undisturbed = await run(whole.cluster, words, '1')
    assert.is(undisturbed.status, 0, undisturbed.stderr)
    const step = Math.ceil(whole.count() / moments)
    let late = 0
    for (let answered = 0; answered < whole.count(); answered += step) {
      const { status, stderr } = await run(silentAfter(await deployed(), answered).cluster, words, '1')
      const isDone = status === 0 && stderr.includes(done)
      assert.ok(isDone || status === 6, `after ${answered} requests ${status}: ${stderr}`)
      if (!isDone) late += 1
    }
    assert.ok(late >= moments / 2, `${late} runs timed out`)
  })
}

test.run()
