/** The two API servers and controllers of an installation: what users see while their pods are killed, one after the other. */
import { execFileSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { RUN_SELECTOR } from '../../src/domain/platform/run/record.ts'
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

type Service = 'api' | 'controller'

/** The oldest of two that are ready: of controllers, the one that leads. */
const killed = async ({ cluster }: PlatformLab, service: Service, more: ReadonlyArray<string>): Promise<void> => {
  let ready: ReadonlyArray<ClusterObject> = []
  await until(`both pods of ${service} are ready`, async () => {
    const { items } = await done(cluster.list({ ...pods, labels: `dev.devtool/service=${service}` }))
    ready = items.filter(isPodReady)
    return ready.length === 2
  })
  const age = ({ metadata: { creationTimestamp = '' } }: ClusterObject): string => creationTimestamp
  const [oldest] = ready.toSorted((a, b) => (age(a) < age(b) ? -1 : 1))
  const args = ['delete', 'pod', oldest?.metadata.name ?? '', '--namespace', 'devtool-system', '--wait=false']
  execFileSync(process.env['KUBECTL'] ?? 'kubectl', [...args, ...more], { encoding: 'utf8' })
}

const name = fresh('replicas')

test('requests, a log and runs continue while API servers and controllers are killed one after the other', () =>
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
      const deploy = (pipeline: string) =>
        run(['pipeline', 'deploy', '--repository', repository, '--name', pipeline, '--wait', '--timeout', '4m'], ann)
      const following = deploy('shop')
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
          const runs = [following]
          for (let count = 0; count < KILLS; count += 1) {
            const more = count % 2 === 0 ? [] : ['--grace-period=0', '--force']
            await killed(lab, 'api', more)
            await killed(lab, 'controller', more)
            // Queued while nobody leads.
            if (count === 1) runs.push(deploy('late'))
          }
          for (const followed of await Promise.all(runs)) {
            assert.is(followed.status, 0, shown(followed))
            const ticks = [...followed.stdout.matchAll(/tick (\d+)\./g)].map(([, number]) => Number(number))
            assert.equal(
              ticks,
              Array.from({ length: TICKS }, (_, index) => index + 1),
              shown(followed),
            )
          }
        } finally {
          isOver = true
        }
      }
      const [count] = await Promise.all([asking(), killing()])
      assert.ok(count > 0)
      const { stdout } = await must(['pipeline', 'list', '-o', 'json'], ann)
      assert.is(JSON.parse(stdout).pipelines.length, 2)
      assert.match((await must(['pipeline', 'list'], ann)).stdout, /late.*succeeded[^]*shop.*succeeded/)
      const records = { resource: resources.ConfigMap, namespace: name, labels: RUN_SELECTOR }
      assert.is((await done(lab.cluster.list(records))).items.length, 2)
    }),
  ))

test.run()
