/** Files of a development container through a sleep of this machine, a lost pod, a restart, and a kernel without watches. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { type Synced, syncedSpace } from '../support/e2e/synced.ts'
import { until } from '../support/process/until.ts'

const appOf = (space: Space): string => join(space.folder, 'app')

/** As on a laptop whose lid is closed: longer than a link lives without an answer. */
const slept = (space: Space): Promise<void> =>
  syncedSpace(
    space,
    { 'a.txt': 'one', 'gone.txt': 'old', 'both.txt': 'old' },
    async ({ copiesOf, here, inPod, same, up }) => {
      await same('both.txt', 'old')
      up.child.kill('SIGSTOP')
      await inPod('printf theirs > both.txt; mkdir d; for i in $(seq 50); do printf $i > d/$i; done; rm gone.txt')
      await sleep(20_000)
      space.write('app/both.txt', 'mine')
      space.write('app/e/mine.txt', 'mine')
      await inPod('printf later > d/50')
      up.child.kill('SIGCONT')
      await same('both.txt', 'mine')
      await same('e/mine.txt', 'mine')
      await same('d/50', 'later')
      await same('gone.txt', undefined)
      for (let index = 1; index < 50; index += 1)
        await until(`d/${index} is here`, () => here(`d/${index}`) === `${index}`)
      const copies = await copiesOf('both.txt')
      assert.is(copies.length, 1)
      await same(copies[0] ?? '', 'theirs')
    },
  )

const podsOf = async (space: Space): Promise<ReadonlyArray<string>> =>
  (await space.list('Pod', 'dev.devtool/mirror')).map(({ metadata }) => metadata.name)

/** What was changed in the container and had arrived is not lost with it, and what is changed here meanwhile arrives. */
const lostPod = (space: Space): Promise<void> =>
  syncedSpace(space, { 'a.txt': 'one', 'gone.txt': 'old' }, async ({ inPod, same, up }) => {
    await inPod('printf theirs > b.txt; printf changed > a.txt')
    await same('b.txt', 'theirs')
    await same('a.txt', 'changed')
    const [name = ''] = await podsOf(space)
    await Promise.all([
      space.remove('Pod', name),
      (async () => {
        space.write('app/a.txt', 'meanwhile')
        space.write('app/new.txt', 'new')
        fs.rmSync(join(appOf(space), 'gone.txt'))
      })(),
    ])
    await up.says('the command is started again')
    await same('a.txt', 'meanwhile')
    await same('new.txt', 'new')
    await same('b.txt', 'theirs')
    await same('gone.txt', undefined)
  })

const restarted = (space: Space): Promise<void> =>
  syncedSpace(space, { 'a.txt': 'one' }, async ({ inPod, same }) => {
    await inPod('printf theirs > b.txt')
    await same('b.txt', 'theirs')
    const before = await podsOf(space)
    await space.must('restart')
    space.write('app/a.txt', 'after the restart')
    await until('another pod', async () => (await podsOf(space)).every((name) => !before.includes(name)))
    await same('a.txt', 'after the restart')
    await same('b.txt', 'theirs')
    await inPod('printf again > b.txt')
    await same('b.txt', 'again')
  })

/** Nobody else on the node is this user, for whom the kernel counts the programs that watch. */
const user = 54_321

const fewWatchesThere = async (space: Space): Promise<void> => {
  await space.create('Pod', {
    metadata: { name: 'greedy' },
    spec: {
      terminationGracePeriodSeconds: 0,
      securityContext: { runAsUser: user },
      containers: [{ name: 'greedy', image: 'test/greedy:1' }],
    },
  })
  const use = async ({ inPod, same, up }: Synced): Promise<void> => {
    await up.says('the kernel lets no more programs watch')
    await inPod('printf theirs > d/a.txt; mkdir e; printf new > e/b.txt')
    await same('d/a.txt', 'theirs')
    await same('e/b.txt', 'new')
    await inPod('printf again > e/b.txt')
    await same('e/b.txt', 'again')
    space.write('app/d/a.txt', 'mine')
    await same('d/a.txt', 'mine')
  }
  await until(
    'the other program runs',
    async () =>
      textAt(await space.get('Pod', 'greedy'), 'status', 'containerStatuses', 0, 'state', 'running', 'startedAt') !==
      undefined,
  )
  await syncedSpace(space, { 'd/a.txt': 'one' }, use, {
    pod: { securityContext: { runAsUser: user, fsGroup: user }, volumes: [{ name: 'work', emptyDir: {} }] },
    container: { volumeMounts: [{ name: 'work', mountPath: '/work' }] },
  })
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'files that were changed at both ends while this machine slept for 20 s are all there afterwards',
    space: 'dev-sync-slept',
    options,
    run: slept,
  },
  {
    title: 'a new pod has the files of the lost one, and those that were changed meanwhile',
    space: 'dev-sync-lost',
    options,
    run: lostPod,
  },
  {
    title: 'a file that is changed after `devtool restart` is in the new pod',
    space: 'dev-sync-restarted',
    options,
    run: restarted,
  },
  {
    title: 'when the kernel lets no more programs watch in the container, its changes arrive, and that is reported',
    space: 'dev-sync-watches-there',
    options,
    run: fewWatchesThere,
  },
]

const test = suite('dev-sync-faults')
await scenarios(test, all)
test.run()
