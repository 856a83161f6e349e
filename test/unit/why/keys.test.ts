import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nothingDone } from '../../../src/app/deploy/executed.ts'
import { explainFailure } from '../../../src/app/deploy/failed.ts'
import { type Origin, partition } from '../../../src/domain/plan/action.ts'
import { inWordsOf, keysOf } from '../../../src/domain/why/keys.ts'
import { translate } from '../../../src/index.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { container, deployed, pod } from '../../support/why/lives.ts'

const planOf = (service: string) => {
  const text = `services:\n  my.web:\n    image: a\n    restart: always\n    ${service}\n`
  const { plan } = translate({ files: { 'compose.yaml': text }, name: 'shop' })
  if (plan === undefined) throw new Error('there is no plan')
  return plan
}

const originsOf = (service: string): ReadonlyArray<Origin> =>
  partition(planOf(service).actions).Apply.flatMap(({ origins }) => origins)

const amounts = ['limits.memory', 'limits.cpu', 'requests.memory', 'requests.cpu']

const wordsFor = (service: string): ReadonlyArray<string> =>
  amounts.map((amount) => inWordsOf(originsOf(service), `raise it (${keysOf(amount)})`))

test('a hint names the key that the file has', () => {
  assert.equal(wordsFor('mem_limit: 64m\n    cpus: 0.5\n    mem_reservation: 32m'), [
    'raise it (mem_limit)',
    'raise it (cpus)',
    'raise it (mem_reservation)',
    'raise it (cpus)',
  ])
  const limits = '{limits: {memory: 64m, cpus: "0.5"}, reservations: {memory: 32m, cpus: "0.1"}}'
  assert.equal(wordsFor(`deploy: {resources: ${limits}}`), [
    'raise it (deploy.resources.limits.memory)',
    'raise it (deploy.resources.limits.cpus)',
    'raise it (deploy.resources.reservations.memory)',
    'raise it (deploy.resources.reservations.cpus)',
  ])
  assert.equal(wordsFor('resources: {limits: {memory: 64Mi}}'), [
    'raise it (resources.limits.memory)',
    'raise it (cpus or deploy.resources.limits.cpus)',
    'raise it (resources.limits.memory)',
    'raise it (deploy.resources.reservations.cpus)',
  ])
})

test('if the file has none of the keys, all are named', () => {
  assert.equal(
    wordsFor('tty: true'),
    amounts.map((amount) => `raise it (${keysOf(amount)})`),
  )
})

test('hints of a failed deploy use the keys of the file', async () => {
  const killed = { exitCode: 137, reason: 'OOMKilled' }
  const limited = { name: 'web', resources: { limits: { memory: '64Mi' } } }
  const status = container(
    { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
    { restartCount: 3, lastState: { terminated: killed } },
  )
  const observed = deployed([pod('a', 'set-web-2', { spec: { containers: [limited] }, status })])
  const never = async (): Promise<void> => {}
  const state = { of: () => observed, see: () => {}, forget: () => {}, reset: () => {}, latest: () => undefined }
  const wanted = { ref: { kind: 'Deployment', name: 'web' }, service: 'web', condition: 'available' } as const
  const { plan } = translate({
    files: { 'compose.yaml': 'services: {web: {image: a, restart: always, mem_limit: 64m}}' },
    name: 'shop',
  })
  const [first] = await explainFailure(
    {
      target: { cluster: memoryCluster(), namespace: 'demo' },
      watching: { state, changed: never, pause: never, begin: never, troubles: () => [] },
      signal: new AbortController().signal,
      ports: { clock: memoryClock() },
      plan: plan ?? { actions: [] },
    },
    { ...nothingDone, pending: [{ name: 'web', detail: '', wanted }], isComplete: false },
  )
  assert.is(first?.code, 'DT3208')
  assert.match(first?.help ?? '', 'raise the memory limit of the service (mem_limit), or')
})

test.run()
