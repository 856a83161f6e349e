/** Synchronised folders where the kernel watches too few of them, and those on file systems that are full or read-only. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { installed } from '../support/cli/installed.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { makeSynced, syncedSpace } from '../support/e2e/synced.ts'
import { until } from '../support/process/until.ts'

/** `inside`: runs a script in the namespaces of `up`, whose `app` is not that of this process. */
type Limited = {
  readonly app: string
  readonly inside: (script: string) => void
  readonly says: (text: RegExp) => Promise<void>
  readonly end: () => Promise<void>
}

/** `up` in namespaces of its own, where a script has set limits. */
const upWithin = (space: Space, script: string): Limited => {
  const env = { ...process.env, HOME: join(space.folder, '..'), DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' }
  const words = ['up', '--yes', '--namespace', space.namespace, '--command', 'echo ready; sleep 1000']
  const up = spawn('unshare', ['-Urm', 'sh', '-c', `${script}; exec "$@"`, 'sh', ...installed, ...words], {
    cwd: space.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(up, 'close')
  let said = ''
  for (const from of [up.stdout, up.stderr]) {
    from.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  return {
    app: join(`/proc/${up.pid}/root`, space.folder, 'app'),
    inside: (change) => {
      const into = ['-t', `${up.pid}`, '-U', '-m', 'sh', '-c', `cd ${space.folder} && ${change}`]
      const { status, stderr } = spawnSync('nsenter', into, { encoding: 'utf8' })
      assert.is(status, 0, stderr)
    },
    says: (text) =>
      until(`it says ${text.source}`, () => {
        if (up.exitCode !== null) throw new Error(said)
        return text.test(said)
      }),
    end: async () => {
      up.kill('SIGINT')
      await ended
    },
  }
}

const fewWatches = async (space: Space): Promise<void> => {
  await syncedSpace(space, { 'd0/a.txt': 'one' }, ({ same }) => same('d0/a.txt', 'one'))
  for (let index = 1; index < 30; index += 1) space.write(`app/d${index}/a.txt`, 'one')
  const up = upWithin(space, 'echo 20 > /proc/sys/user/max_inotify_watches')
  try {
    await up.says(/folders are looked at every two seconds here/)
    const there = async (): Promise<string> => (await space.run('exec', '--', 'cat', '/work/d29/a.txt')).stdout
    space.write('app/d29/a.txt', 'two')
    await until('a change in a folder that is not watched', async () => (await there()) === 'two')
  } finally {
    await up.end()
  }
}

const names = (prefix: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

/** Writes files into the container, each of which is whole as soon as it has its name. */
const writeNew =
  'for n in $(seq 0 19); do for i in $(seq 500); do printf "new $n "; done > n.part; mv n.part new$n; done'

const newText = (index: number): string => `new ${index} `.repeat(500)

/** `limit`: an option of a file system that has room for the old files and for half of the new ones. */
const fullHere = (limit: string) => async (space: Space) => {
  await makeSynced(space, { 'a.txt': 'one' })
  const old = names('old', 15)
  const up = upWithin(
    space,
    `mount -t tmpfs -o ${limit} none app; echo '*.part' > app/.devtoolignore; for n in ${old.join(' ')}; do echo $n > app/$n; done`,
  )
  const { app } = up
  const arrived = (): ReadonlyArray<string> => fs.readdirSync(app).filter((name) => /^new\d+$/.test(name))
  const areWhole = (): void => {
    for (const name of arrived()) assert.is(fs.readFileSync(join(app, name), 'utf8'), newText(Number(name.slice(3))))
  }
  try {
    await up.says(/ready/)
    const there = async (script: string): Promise<string> =>
      (await space.must('exec', '--', 'sh', '-c', `cd /work && ${script}`)).stdout
    await until('the old files are there', async () => (await there('ls | grep -c old; true')) === '15\n')
    await there(writeNew)
    await up.says(/no space left on the disk/)
    assert.ok(arrived().length < 20)
    areWhole()
    assert.is(
      await there('cat new* | wc -c'),
      `${
        names('', 20)
          .map((_, index) => newText(index))
          .join('').length
      }\n`,
    )
    for (const name of old) fs.rmSync(join(app, name))
    await until('all files are here', () => Promise.resolve(arrived().length === 20))
    areWhole()
    await until('the old files are gone there', async () => (await there('ls | grep -c old; true')) === '0\n')
  } finally {
    await up.end()
  }
}

const readOnlyHere = async (space: Space): Promise<void> => {
  await makeSynced(space, { 'a.txt': 'one' })
  const up = upWithin(space, 'mount -t tmpfs none app; echo one > app/a.txt')
  const here = (path: string): string | undefined =>
    fs.existsSync(join(up.app, path)) ? fs.readFileSync(join(up.app, path), 'utf8') : undefined
  const there = async (script: string): Promise<string> =>
    (await space.must('exec', '--', 'sh', '-c', `cd /work && ${script}`)).stdout
  try {
    await up.says(/ready/)
    await until('the file is there', async () => (await there('cat a.txt; true')) === 'one\n')
    up.inside('mount -o remount,ro app')
    await there('echo theirs > t.txt; echo two > a.txt')
    await up.says(/read-only/)
    assert.equal([here('t.txt'), here('a.txt')], [undefined, 'one\n'])
    up.inside('mount -o remount,rw app')
    await until('the new file is here', () => Promise.resolve(here('t.txt') === 'theirs\n'))
    await until('the change is here', () => Promise.resolve(here('a.txt') === 'two\n'))
  } finally {
    await up.end()
  }
}

/** `limit`: one that lets the container have half of the files. `lifted`: one that lets it have all of them. */
const limitedThere = (limit: string, lifted: string, reason: string) => (space: Space) =>
  syncedSpace(
    space,
    { 'a.txt': 'one' },
    async ({ inPod, same, up }) => {
      await same('a.txt', 'one')
      await inPod(`mount -o remount,${limit} /work`)
      for (const [index, name] of names('new', 20).entries()) space.write(`app/${name}`, newText(index))
      await up.says(reason)
      const all = names('', 20).map((_, index) => newText(index))
      assert.ok(!(await inPod('cat new*; true')).includes(all.join('')))
      await inPod(`mount -o remount,${lifted} /work`)
      for (const [index, text] of all.entries()) await same(`new${index}`, text)
      assert.is(
        await inPod('ls -A | grep -vx .devtool-sync'),
        `${['a.txt', ...names('new', 20)].toSorted().join('\n')}\n`,
      )
    },
    {
      pod: { volumes: [{ name: 'small', emptyDir: { medium: 'Memory' } }] },
      container: { volumeMounts: [{ name: 'small', mountPath: '/work' }], securityContext: { privileged: true } },
    },
  )

const muchThere = (space: Space): Promise<void> =>
  syncedSpace(space, { 'a.txt': 'one' }, async ({ inPod, same }) => {
    await inPod('dd if=/dev/zero of=/tmp/large bs=1M count=600 2>/dev/null')
    // The kubelet compares every ten seconds, with sizes that are as old.
    await sleep(40_000)
    space.write('app/a.txt', 'two')
    await same('a.txt', 'two')
    assert.is(await inPod('wc -c </tmp/large'), `${600 * 1024 * 1024}\n`)
  })

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'when the kernel watches no more folders, the others are polled, and that is reported',
    space: 'dev-sync-watches',
    options,
    run: fewWatches,
  },
  {
    title: 'a full local disk is reported, no file is truncated, and all files arrive once there is space',
    space: 'dev-sync-inodes',
    options,
    run: fullHere('nr_inodes=30'),
  },
  {
    title: 'a disk that is full here is said, nothing is cut off, and all arrive once there is room',
    space: 'dev-sync-bytes',
    options,
    run: fullHere('size=100k'),
  },
  {
    title: 'a folder here that becomes read-only is said, and its changes arrive once it can be written',
    space: 'dev-sync-locked',
    options,
    run: readOnlyHere,
  },
  {
    title: 'a disk that can hold no more files in the container is said, and all arrive once there is room',
    space: 'dev-sync-inodes-there',
    options,
    run: limitedThere('nr_inodes=12', 'nr_inodes=1000', 'no space left on the disk'),
  },
  {
    title: 'a disk that is full in the container is said, and the rest arrives once there is room',
    space: 'dev-sync-bytes-there',
    options,
    run: limitedThere('size=48k', 'size=4m', 'no space left on the disk'),
  },
  {
    title: 'a folder of the container that becomes read-only is said, and its changes arrive once it can be written',
    space: 'dev-sync-locked-there',
    options,
    run: limitedThere('ro', 'rw', 'read-only'),
  },
  {
    title: 'a container without a limit for its files may have more of them than the agent may',
    space: 'dev-sync-much-there',
    options,
    run: muchThere,
  },
]

const test = suite('dev-sync-limits')
await scenarios(test, all)
test.run()
