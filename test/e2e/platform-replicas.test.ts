/** The two API servers of an installation: what users see while their pods are killed, one after the other. */
import { execFileSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { isPodReady } from '../../src/domain/rollout/pod.ts'
import { done } from '../contract/cluster-world.ts'
import { shown } from '../support/e2e/command.ts'
import { withGitServer } from '../support/e2e/git-server.ts'
import { type PlatformLab, withPlatform } from '../support/e2e/installed-platform.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { until } from '../support/process/until.ts'

const host = process.env['DEVTOOL_E2E_HOST'] ?? ''
const [TICKS, KILLS] = [25, 4]

const pods = { resource: resources.Pod, namespace: 'devtool-system' }

const apiPods = async ({ cluster }: PlatformLab): Promise<ReadonlyArray<ClusterObject>> =>
  (await done(cluster.list({ ...pods, labels: 'dev.devtool/service=api' }))).items

/** The oldest of two that are ready. */
const killed = async (lab: PlatformLab, ...more: ReadonlyArray<string>): Promise<void> => {
  let ready: ReadonlyArray<ClusterObject> = []
  await until('both API servers are ready', async () => {
    ready = (await apiPods(lab)).filter(isPodReady)
    return ready.length === 2
  })
  const age = ({ metadata: { creationTimestamp = '' } }: ClusterObject): string => creationTimestamp
  const [oldest] = ready.toSorted((a, b) => (age(a) < age(b) ? -1 : 1))
  const args = ['delete', 'pod', oldest?.metadata.name ?? '', '--namespace', 'devtool-system', '--wait=false']
  execFileSync(process.env['KUBECTL'] ?? 'kubectl', [...args, ...more], { encoding: 'utf8' })
}

const name = fresh('replicas')

test('requests, a log and a run continue while the API servers are killed one after the other', () =>
  withPlatform([name], (lab) =>
    withGitServer(host, async (git) => {
      const { asUser, install, join, must, run } = lab
      await install('--builder', 'none')
      const ann = await asUser(await join('ann'), name)
      await until('the platform answers', async () => (await run(['namespace', 'list'], ann)).status === 0)
      await must(['namespace', 'create', name], ann)
      await must(['variable', 'set', 'DEVTOOL_GIT_CA', '--', git.authority], ann)
      const command = `for i in $(seq ${TICKS}); do echo tick $i.; sleep 1; done`
      const repository = git.add('shop', { 'devtool.yml': `deploy:\n  - name: count\n    command: ${command}\n` })

      let isOver = false
      const following = run(['pipeline', 'deploy', '--repository', repository, '--name', 'shop', '--wait'], ann)
      const asking = async (): Promise<number> => {
        for (let count = 0; ; count += 1) {
          if (isOver) return count
          await must(['pipeline', 'list'], ann)
          // It changes something, and may be asked for once only.
          await must(['variable', 'set', `COUNT_${count % 8}`, String(count)], ann)
        }
      }
      const killing = async (): Promise<void> => {
        try {
          // In turns as when a node is drained, and as when one is lost.
          for (let count = 0; count < KILLS; count += 1) {
            await killed(lab, ...(count % 2 === 0 ? [] : ['--grace-period=0', '--force']))
          }
          const followed = await following
          assert.is(followed.status, 0, shown(followed))
          const ticks = [...followed.stdout.matchAll(/tick (\d+)\./g)].map(([, number]) => Number(number))
          assert.equal(
            ticks,
            Array.from({ length: TICKS }, (_, index) => index + 1),
            shown(followed),
          )
        } finally {
          isOver = true
        }
      }
      const [count] = await Promise.all([asking(), killing()])
      assert.ok(count > 0)
      const { stdout } = await must(['pipeline', 'list', '-o', 'json'], ann)
      assert.is(JSON.parse(stdout).pipelines.length, 1)
      assert.match((await must(['pipeline', 'list'], ann)).stdout, /shop.*succeeded/)
    }),
  ))

test.run()
