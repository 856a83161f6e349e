/** Host volumes that are single files, folders in two containers, and folders that are synchronised one way. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

const compose = `services:
  web:
    image: busybox:1.37
    command: [httpd, -f, -c, /etc/web/httpd.conf]
    stop_grace_period: 0s
    volumes: [./dev.conf:/etc/web/httpd.conf, ./mime.types:/etc/web/mime.types]
`

const files = async (space: Space): Promise<void> => {
  space.write('compose.yml', compose)
  space.write('dev.conf', '# one\n')
  space.write('mime.types', 'text/plain txt\n')
  const up = space.start('up', 'web', '--yes', '--command', 'cat /etc/web/*; echo; echo ready; sleep 1000')
  await up.says('ready')
  await up.says('# one\ntext/plain txt\n')
  await up.says('synchronised: 1 file of')
  const here = (name: string): string => fs.readFileSync(join(space.folder, name), 'utf8')
  const there = async (name: string): Promise<string> =>
    (await space.run('exec', '--', 'cat', `/etc/web/${name}`)).stdout
  space.write('dev.conf', '# two\n')
  await until('the new content there', async () => (await there('httpd.conf')) === '# two\n')
  await space.must(
    'exec',
    '--',
    'sh',
    '-c',
    'cd /etc/web; cp httpd.conf next; echo "# three" >> next; mv next httpd.conf',
  )
  await until('the new content here', () => Promise.resolve(here('dev.conf') === '# two\n# three\n'))
  await space.must('exec', '--', 'sh', '-c', 'echo own > /etc/web/own')
  await space.must('exec', '--', 'sh', '-c', 'echo "text/css css" >> /etc/web/mime.types')
  await until('the other file here', () => Promise.resolve(here('mime.types') === 'text/plain txt\ntext/css css\n'))
  assert.is(fs.existsSync(join(space.folder, 'own')), false)
  const { stdout } = await space.must('status', '-o', 'json')
  assert.match(stdout, '"remote": "/etc/web/httpd.conf"')
  up.child.kill('SIGINT')
  assert.not.match((await up.ended).stderr, 'DT1101')
}

const overConfig = async (space: Space): Promise<void> => {
  space.write('compose.yml', compose)
  space.write('dev.conf', '# one\n')
  space.write('mime.types', 'text/plain txt\n')
  await space.must('deploy', '--host-files=config', '--wait')
  const up = space.start('up', 'web', '--yes', '--command', 'echo ready; sleep 1000')
  await up.says('ready')
  await space.must('exec', '--', 'sh', '-c', 'echo "# two" > /etc/web/httpd.conf')
  await until('the new content here', () =>
    Promise.resolve(fs.readFileSync(join(space.folder, 'dev.conf'), 'utf8') === '# two\n'),
  )
  up.child.kill('SIGINT')
  await up.ended
}

const both = `services:
  api: &both
    image: busybox:1.37
    command: [sleep, "3600"]
    stop_grace_period: 0s
    volumes: [./src:/src]
  worker: *both
`

const inTwo = async (space: Space): Promise<void> => {
  space.write('compose.yml', both)
  space.write('src/a.txt', 'one\n')
  const ups = ['api', 'worker'].map((name) => space.start('up', name, '--yes', '--command', 'echo ready; sleep 1000'))
  for (const up of ups) await up.says('ready')
  const there = async (name: string, file: string): Promise<string> =>
    (await space.run('exec', name, '--', 'cat', `/src/${file}`)).stdout
  const here = (file: string): string => fs.readFileSync(join(space.folder, 'src', file), 'utf8')
  await space.must('exec', 'api', '--', 'sh', '-c', 'echo two > /src/a.txt; echo new > /src/b.txt')
  for (const [file, text] of [
    ['a.txt', 'two\n'],
    ['b.txt', 'new\n'],
  ] as const) {
    await until(`${file} in the other container`, async () => (await there('worker', file)) === text)
    assert.is(here(file), text)
  }
  await space.must('exec', 'worker', '--', 'rm', '/src/b.txt')
  const listed = async (): Promise<string> => (await space.must('exec', 'api', '--', 'ls', '/src')).stdout
  await until('the deletion in the first one', async () => (await listed()) === 'a.txt\n')
  assert.equal(
    fs.readdirSync(join(space.folder, 'src')).filter((name) => !name.startsWith('.devtool-sync')),
    ['a.txt'],
  )
  for (const up of ups) up.child.kill('SIGINT')
  for (const up of ups) await up.ended
}

const oneWayManifest = `deploy: {compose: compose.yaml}
dev:
  web:
    command: echo out > /out/a; echo b > /out/b; echo ready; sleep 1000
    sync: [./conf:/conf:push, ./out:/out:pull]
`

const oneWay = async (space: Space): Promise<void> => {
  space.write(
    'compose.yaml',
    compose.replace(/command: .*/, 'command: [sleep, "1000"]').replace(/volumes: .*/, 'volumes: [./conf:/conf:ro]'),
  )
  space.write('conf/a', 'mine')
  space.write('devtool.yml', oneWayManifest)
  space.write('out/kept', 'here')
  await space.must('deploy', '--wait')
  const up = space.start('up', 'web', '--yes')
  await up.says('ready')
  const here = (name: string): string | undefined => {
    const path = join(space.folder, name)
    return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : undefined
  }
  const there = async (script: string): Promise<string> =>
    (await space.must('exec', 'web', '--', 'sh', '-c', script)).stdout
  await until('what the program wrote is here', () => here('out/a') === 'out\n')
  assert.is(await there('cat /conf/a; ls /out; echo theirs > /conf/a; echo b > /conf/b; rm /out/a'), 'minea\nb\n')
  await until('the deletion is here', () => here('out/a') === undefined)
  assert.equal([here('conf/a'), here('conf/b'), here('out/kept')], ['mine', undefined, 'here'])
  space.write('conf/a', 'saved')
  await until('the save is there', async () => (await there('cat /conf/a')) === 'saved')
  up.child.kill('SIGINT')
  await up.ended
  await space.must('down', 'web')
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'host volumes that are files are synchronised both ways, and their neighbours are not',
    space: 'dev-sync-files',
    options,
    run: files,
  },
  {
    title: 'a file that was deployed as a ConfigMap can be written in the development container',
    space: 'dev-sync-config',
    options,
    run: overConfig,
  },
  {
    title: 'one folder that two programs synchronise with two containers is the same everywhere',
    space: 'dev-sync-two',
    options,
    run: inTwo,
  },
  {
    title: 'folders with push and pull are synchronised one way',
    space: 'oneway',
    options,
    run: oneWay,
  },
]

const test = suite('dev-sync-files')
await scenarios(test, all)
test.run()
