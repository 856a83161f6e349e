/** Looking at environments on a real cluster: logs that lose and double nothing, lists, addresses, reports. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { strFromU8, unzipSync } from 'fflate'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../src/domain/cluster/json.ts'
import { compose, job, page } from '../support/e2e/apps.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'

const labelsOf = (service: string) => ({ 'dev.devtool/environment': 'shop', 'dev.devtool/service': service })

/** Containers of the image that every cluster of these tests has. */
const deployment = (service: string, script: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: service, labels: labelsOf(service) },
  spec: {
    selector: { matchLabels: labelsOf(service) },
    template: {
      metadata: { labels: labelsOf(service) },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: service,
            image: 'busybox:latest',
            command: ['sh', '-c', script],
            volumeMounts: [{ name: 'kept', mountPath: '/kept' }],
          },
        ],
        volumes: [{ name: 'kept', emptyDir: {} }],
        ...more,
      },
    },
  },
})

const messages = (text: string): ReadonlyArray<string> =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(line.indexOf(' | ') + 3))

const until = async (holds: () => Promise<boolean>, what: string, ms = 60_000): Promise<void> => {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(300)) if (await holds()) return
  throw new Error(`it never came to that: ${what}`)
}

/** Counts on where the instance before stopped, and dies after some lines. */
const counter = `
  n=$(cat /kept/n 2>/dev/null || echo 0); end=$((n + 40))
  while [ $n -lt $end ]; do n=$((n + 1)); echo "line $n"; echo $n >/kept/n; sleep 0.05; done
  [ $n -lt 120 ] && exit 1; sleep 3600`

const followed = async (space: Space): Promise<void> => {
  await space.create('Deployment', deployment('early', 'echo "I was here"; sleep 3600'))
  await until(async () => (await space.list('Pod')).length > 0, 'a pod')
  const running = space.start('logs', '--name', 'shop', '--follow')
  await running.says('I was here\n')
  await space.create('Deployment', deployment('counter', counter))
  await running.says('line 120\n')
  running.child.kill('SIGINT')
  const { status, stdout } = await running.ended
  assert.is(status, 130)
  const counted = messages(stdout).filter((text) => text.startsWith('line '))
  assert.equal(
    counted,
    Array.from({ length: 120 }, (_, index) => `line ${index + 1}`),
  )
}

const printed = async (space: Space): Promise<void> => {
  const script = `printf '{"level":"warn","msg":"slow","ms":12}\\n'; printf '\\033[2J\\033[31mred\\n'; echo done; sleep 3600`
  const init = { initContainers: [{ name: 'prepare', image: 'busybox:latest', command: ['echo', 'preparing'] }] }
  await space.create('Deployment', deployment('api', script, init))
  await space.create('Deployment', deployment('web', 'echo page; sleep 3600'))
  await space.create('Job', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', labels: labelsOf('migrate') },
    spec: {
      template: {
        metadata: { labels: labelsOf('migrate') },
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'migrate', image: 'busybox:latest', command: ['echo', 'migrated'] }],
        },
      },
    },
  })
  const wanted = ['preparing', 'WARN slow ms=12', '\\x1b[2Jred', 'done', 'page', 'migrated']
  const all = async () => messages((await space.must('logs', '--name', 'shop')).stdout)
  await until(async () => (await all()).length === wanted.length, 'all lines')
  assert.equal((await all()).toSorted(), wanted.toSorted())
  const some = await space.must('logs', 'a', '--exclude', 'apx', '--tail', '1', '--name', 'shop')
  assert.equal(messages(some.stdout), ['preparing', 'done'])
  const json = await space.must('logs', 'api', '-o', 'json', '--name', 'shop')
  const lines = json.stdout.split('\n').slice(0, -1)
  const data: ReadonlyArray<{ schema: number; service: string; fields?: unknown }> = lines.map((line) =>
    JSON.parse(line),
  )
  assert.ok(data.every(({ schema, service }) => schema === 1 && service === 'api'))
  assert.equal(
    data.flatMap(({ fields }) => fields ?? []),
    [{ level: 'warn', msg: 'slow', ms: 12 }],
  )
  assert.is((await space.run('logs', 'nobody', '--name', 'shop')).status, 5)
  assert.is((await space.run('logs', 'a(', '--name', 'shop')).status, 2)
  assert.is((await space.run('logs', '--name', 'other')).status, 5)
}

const canary = 'canary-4711-value'

const listed = async (space: Space): Promise<void> => {
  space.write(
    'compose.yaml',
    compose({
      web: page('hello', 'ports: ["8080:8080"]', `environment: {TITLE: ${canary}}`),
      broken: ['image: busybox:latest', 'command: ["false"]'],
      migrate: job(`echo the title is ${canary}`),
    }),
  )
  assert.match((await space.must('list')).stderr, /no environment in namespace/)
  await space.must('deploy', '--name', 'shop')
  const settled = [/^web .* ready/m, /^migrate .* complete/m, /^broken .* progressing: /m]
  await until(async () => {
    const { stdout } = await space.must('list', 'shop')
    return settled.every((state) => state.test(stdout))
  }, 'all that the list tells')
  const table = (await space.must('list')).stdout
  assert.match(table, /^Name +Status +Services +Endpoints +Age +Who\nshop +deployed +3 +1 +\d/)
  assert.is((await space.must('list', '-o', 'name')).stdout, 'shop\n')
  const rows = (await space.must('list', 'shop')).stdout
  assert.match(rows, /^web +Deployment +1\/1 +ready +0 +\S+ +busybox:latest$/m)
  assert.match(rows, /^migrate +Job +1\/1 +complete/m)
  assert.match(rows, /^broken +Deployment +0\/1 +progressing: /m)
  const found = await space.must('endpoints', '--name', 'shop', '-o', 'json')
  const { endpoints }: { endpoints: ReadonlyArray<{ url: string; service: string }> } = JSON.parse(found.stdout)
  assert.equal(
    endpoints.map(({ service, url }) => [service, url]),
    [['web', `http://web-${space.namespace}.localhost/`]],
  )
  await space.must('doctor', '--name', 'shop')
  const zip = readdirSync(space.folder).find((name) => name.startsWith('devtool-doctor-')) ?? ''
  const texts = Object.entries(unzipSync(new Uint8Array(readFileSync(join(space.folder, zip)))))
  assert.ok(texts.length > 8)
  for (const [path, bytes] of texts) assert.not.ok(strFromU8(bytes).includes(canary), path)
  const checks = await space.must('doctor', '--check')
  assert.match(checks.stdout, /^rights +ok/m)
}

const list: ReadonlyArray<Scenario> = [
  { title: 'logs: restarts and new pods are followed, every line comes once', space: 'follow', run: followed },
  { title: 'logs: all containers, sorted and harmless, by expression and as data', space: 'print', run: printed },
  { title: 'list, endpoints and doctor see what was deployed', space: 'list', run: listed },
]

const test = suite('see')

await scenarios(test, list)

test.run()
