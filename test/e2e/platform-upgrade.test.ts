/** A platform is upgraded while people use it: what is under way does not notice. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resources } from '../../src/domain/cluster/resources.ts'
import { done } from '../contract/cluster-world.ts'
import { compose, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import { withGitServer } from '../support/e2e/git-server.ts'
import { PLATFORM, type PlatformLab, withPlatform } from '../support/e2e/installed-platform.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { until } from '../support/process/until.ts'

const host = process.env['DEVTOOL_E2E_HOST'] ?? ''

const podsOf = async ({ cluster }: PlatformLab): Promise<ReadonlyArray<string>> => {
  const { items } = await done(cluster.list({ resource: resources.Pod, namespace: 'devtool-system' }))
  return items.map(({ metadata }) => metadata.uid ?? '')
}

/** As another version: the image differs. */
const nextImage = async ({ builder, must, registry, write }: PlatformLab, first: string): Promise<string> => {
  const image = `${registry}/devtool-platform:next`
  write('Dockerfile.next', `FROM ${first}\nLABEL version=next\n`)
  await must(['build', '-f', 'Dockerfile.next', '-t', image, '.'], { BUILDKIT_HOST: builder })
  return image
}

/** Every number from 1 on once, and in order. */
const counted = (text: string, word: string): number => {
  const numbers = [...text.matchAll(new RegExp(`${word} (\\d+)\\.`, 'g'))].map(([, number]) => Number(number))
  assert.equal(
    numbers,
    numbers.map((_, index) => index + 1),
    text,
  )
  return numbers.length
}

const counting = (word: string, isOver: string): string =>
  `i=0; until ${isOver}; do i=$((i+1)); echo ${word} $i.; sleep 1; done`

const name = fresh('upgrade')

test('during an upgrade, the log of a run and a development container continue, and requests are answered', () =>
  withPlatform([name], (lab) =>
    withGitServer(host, async (git) => {
      const { asUser, cluster, folder, install, join: joins, must, run, start } = lab
      await install('--builder', 'none')
      const env = { ...(await asUser(await joins('ann'), name)), DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' }
      await until('the platform answers', async () => (await run(['namespace', 'list'], env)).status === 0)
      await must(['namespace', 'create', name], env)
      await must(['variable', 'set', 'DEVTOOL_GIT_CA', '--', git.authority], env)

      const app = join(folder, 'app')
      mkdirSync(app)
      lab.write('compose.yaml', compose({ web: page('hello') }))
      lab.write('devtool.yml', 'deploy: {compose: compose.yaml}\ndev: {web: {workdir: /work, sync: ["./app:/work"]}}\n')
      await must(['deploy', '--name', 'shop', '--wait'], env)
      const up = start(['up', 'web', '--yes', '--command', counting('beat', '[ -e over ]')], env)
      await up.says('beat 2.')
      const command = counting('tick', 'devtool list after >/dev/null 2>&1')
      const repository = git.add('shop', {
        'devtool.yml': `deploy:\n  - name: count\n    command: ${JSON.stringify(command)}\n`,
      })
      const following = start(
        ['pipeline', 'deploy', '--repository', repository, '--name', 'run', '--wait', '--timeout', '15m'],
        env,
      )
      await following.says('tick 2.')

      const deployment = { resource: resources.Deployment, namespace: 'devtool-system', name: 'api' }
      const image = /"image":"([^"]+)"/.exec(JSON.stringify(await done(cluster.get(deployment))))?.[1] ?? ''
      const before = new Set(await podsOf(lab))
      const next = await nextImage(lab, image)
      let isUpgraded = false
      const asking = async (): Promise<number> => {
        for (let count = 0; ; count += 1) {
          if (isUpgraded) return count
          await must(['pipeline', 'list'], env)
        }
      }
      const upgrading = async (): Promise<void> => {
        try {
          const upgraded = await must(['platform', 'upgrade', '--image', next, '--yes', '--timeout', '10m'])
          assert.is(upgraded.stdout, `${PLATFORM}\n`)
        } finally {
          isUpgraded = true
        }
      }
      const [count] = await Promise.all([asking(), upgrading()])
      assert.ok(count > 0)
      await until('all pods of before have ended', async () => !(await podsOf(lab)).some((uid) => before.has(uid)))
      const [ticks, beats] = [counted(following.output(), 'tick'), counted(up.output(), 'beat')]

      // With the programs of the new version.
      await following.says(`tick ${ticks + 2}.`)
      await up.says(`beat ${beats + 2}.`)
      lab.write('after.yaml', compose({ late: page('late') }))
      await must(['deploy', '-f', 'after.yaml', '--name', 'after'], env)
      const followed = await following.ended
      assert.is(followed.status, 0, shown(followed))
      assert.ok(counted(followed.stdout, 'tick') > ticks)
      assert.match((await must(['pipeline', 'list'], env)).stdout, /run.*succeeded/)
      writeFileSync(join(app, 'over'), '')
      const left = await up.ended
      assert.is(left.status, 0, shown(left))
      assert.ok(counted(left.stdout, 'beat') > beats)
      await must(['down', 'web'], env)
    }),
  ))

test.run()
