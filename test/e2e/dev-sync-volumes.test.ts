/** Synchronised folders of a container that are on volumes: one that outlives `up`, and one that is full. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'
import { syncedSpace } from '../support/e2e/synced.ts'
import { until } from '../support/process/until.ts'

const betweenTwo = async (space: Space): Promise<void> => {
  const dev = '    persistentVolume: { enabled: true, size: 1Gi }\n'
  await syncedSpace(
    space,
    { 'a.txt': 'one' },
    async ({ inPod, same }) => {
      await same('a.txt', 'one')
      await inPod('mkdir node_modules; echo own > node_modules/p; echo two > b.txt')
      await same('b.txt', 'two\n')
    },
    { dev },
  )
  fs.rmSync(join(space.folder, 'app/b.txt'))
  space.write('app/a.txt', 'changed while nothing ran')
  const up = space.start('up', '--yes', '--command', 'echo ready; sleep 1000')
  await up.says('ready')
  const inPod = (path: string): ReturnType<Space['run']> => space.run('exec', '--', 'cat', `/work/${path}`)
  await until('the change there', async () => (await inPod('a.txt')).stdout === 'changed while nothing ran')
  await until('the deletion there', async () => (await inPod('b.txt')).status !== 0)
  assert.is((await inPod('node_modules/p')).stdout, 'own\n')
  assert.equal(fs.readdirSync(join(space.folder, 'app')), ['a.txt'])
  await space.inTerminal(['status', '--watch'], async ({ press, until: shows }) => {
    await shows(/ 100 %/)
    press('C-c')
    await shows('status 130')
  })
  up.child.kill('SIGINT')
  await up.ended
  const claims = async (): Promise<number> => (await space.list('PersistentVolumeClaim', 'dev.devtool/mirror')).length
  await space.must('down')
  assert.is(await claims(), 1)
  assert.match((await space.must('down', '--volumes')).stderr, /^PersistentVolumeClaim\/\S+ is deleted$/m)
  await until('the claim is gone', async () => (await claims()) === 0)
  assert.equal(fs.readdirSync(join(space.folder, 'app')), ['a.txt'])
}

const full = (space: Space): Promise<void> =>
  syncedSpace(
    space,
    { 'a.txt': 'one' },
    async ({ here, inPod, same, up }) => {
      await same('a.txt', 'one')
      fs.writeFileSync(join(space.folder, 'app/big'), Buffer.alloc(3_000_000, 'x'))
      await up.says('big cannot be written in the container')
      await inPod('echo theirs > t.txt')
      await until('a file of the container', () => here('t.txt') === 'theirs\n')
      fs.rmSync(join(space.folder, 'app/big'))
      space.write('app/a.txt', 'two')
      await same('a.txt', 'two')
    },
    {
      pod: { volumes: [{ name: 'small', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }] },
      container: { volumeMounts: [{ name: 'small', mountPath: '/work' }] },
    },
  )

const readOnly = async (space: Space): Promise<void> => {
  space.write('devtool.yml', 'dev:\n  api:\n    sync: ["app:/work"]\n    persistentVolume: { enabled: false }\n')
  space.write('app/a.txt', 'one')
  const pod = { volumes: [{ name: 'fixed', emptyDir: {} }] }
  const container = { volumeMounts: [{ name: 'fixed', mountPath: '/work', readOnly: true }] }
  await space.create('Deployment', sleeping({ container, pod }))
  const up = await space.run('up', '--yes', '--command', 'true')
  assert.match(
    up.stderr,
    /DT5055[^]*<-> \/work are not synchronised: the file system is read-only; synchronise a folder/,
  )
  assert.equal(fs.readdirSync(join(space.folder, 'app')), ['a.txt'])
  await space.must('down')
}

const grown = async (space: Space): Promise<void> => {
  const section = (size: string): string =>
    `dev:\n  api:\n    sync: ["app:/work"]\n    persistentVolume: { size: ${size} }\n`
  space.write('app/a.txt', 'one')
  await space.create('Deployment', sleeping())
  const up = async (size: string) => {
    space.write('devtool.yml', section(size))
    return space.run('up', '--yes', '--command', 'cat /work/a.txt')
  }
  assert.equal([(await up('1Gi')).stdout, (await up('1Gi')).stderr.includes('DT3105')], ['one', false])
  // Whether it grows is up to the storage class.
  const larger = await up('2Gi')
  assert.is(larger.stdout, 'one', larger.stderr)
  const smaller = await up('512Mi')
  assert.is(smaller.status, 3, smaller.stderr)
  assert.match(smaller.stderr, /DT3105[^]*the file says 512Mi/)
  await space.must('down', '--volumes')
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  {
    title:
      'with a persistent volume the next `up` finds what was there, and carries over what changed meanwhile; `down --volumes` deletes it, also after a `down`',
    space: 'dev-sync-volume',
    options,
    run: betweenTwo,
  },
  {
    title: 'a full disk in the container is reported, and everything else continues',
    space: 'dev-sync-full',
    options,
    run: full,
  },
  {
    title: 'a read-only folder in the container is reported, with what helps',
    space: 'dev-sync-read-only',
    options,
    run: readOnly,
  },
  {
    title: 'a volume that cannot grow is used as it is, and a smaller size is refused',
    space: 'dev-sync-size',
    options,
    run: grown,
  },
]

const test = suite('dev-sync-volumes')
await scenarios(test, all)
test.run()
