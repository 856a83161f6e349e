/** A node that stops answering while a service runs there. Without a program that stops it this test is skipped. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compose } from '../support/e2e/apps.ts'
import { frozen, noFaults } from '../support/e2e/cluster-fault.ts'
import { shown } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'
import { normal } from '../support/why/expected.ts'
import { assertKept } from '../support/why/golden.ts'
import { typedFrom } from '../support/why/printed.ts'

const whileLost = async (space: Space, node: string): Promise<void> => {
  const named = `the node ${node}, on which its pod runs`
  const why = () => space.run('why', 'node-lost')
  // It takes the control plane a minute.
  await until('why names the node', async () => (await why()).stdout.includes(named), 240_000)
  await until('why has its event', async () => (await why()).stdout.includes('NodeNotReady'))
  const { status, stdout } = await why()
  assert.is(status, 1)
  assertKept('why/node-lost', normal(stdout.replaceAll(space.namespace, 'why-e2e')))
  const asked = `devtool why node-lost --name files --namespace ${space.namespace} --kubeconfig ${process.env['KUBECONFIG']}`
  const { commands } = await typedFrom([asked])
  assert.equal(
    commands.map(({ status: typed }) => typed),
    [0],
  )
  assert.match((await space.run('why')).stdout, /healthy: web/)
  const again = await space.run('deploy', '--wait', '--timeout', '30s')
  assert.is(again.status, 6, shown(again))
  assert.match(again.stderr, `the node ${node}, on which its pod runs, is not ready or gone`)
}

const test = suite('a lost node')

await scenarios(test, [
  {
    title: 'why and a deploy that times out name the node that is not ready',
    space: 'node',
    unless: ({ nodes }) => noFaults ?? (nodes.length < 2 ? 'needs two nodes' : undefined),
    run: async (space, { nodes }) => {
      const lost = nodes.at(-1)?.metadata.name ?? ''
      const on = (node: string): ReadonlyArray<string> => [
        'image: busybox:latest',
        'command: ["sh", "-c", "trap exit TERM; sleep 3600 & wait"]',
        'healthcheck: {test: ["CMD", "true"], interval: 1s}',
        `x-node-selector: {kubernetes.io/hostname: ${node}}`,
      ]
      space.write('compose.yaml', compose({ 'node-lost': on(lost), web: on(nodes[0]?.metadata.name ?? '') }))
      await space.must('deploy', '--wait')
      await frozen(['kubelet', lost], () => whileLost(space, lost))
      await space.must('deploy', '--wait')
    },
  },
])

test.run()
