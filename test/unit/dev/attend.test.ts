/** What `up` does in the background when workloads change: its own, and those of the services beside it. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { attend } from '../../../src/app/dev/attend.ts'
import { restartMirror } from '../../../src/app/dev/restart.ts'
import { at, type Json } from '../../../src/domain/cluster/json.ts'
import { liveOf } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { planUp } from '../../../src/domain/dev/activate.ts'
import type { DevRecord } from '../../../src/domain/dev/record.ts'
import type { UpRequest } from '../../../src/domain/dev/request.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { ann, devOf, requestOf } from '../../support/dev/request.ts'
import { inRounds, observedIn } from '../../support/dev/rounds.ts'
import { workload } from '../../support/dev/workloads.ts'
import { until } from '../../support/process/until.ts'

const namespace = 'demo'
const dev = devOf({ 'devtool.yml': 'dev:\n  api:\n    services: [{ name: worker, command: [work] }]\n' })

let over = new AbortController()
test.before.each(() => {
  over = new AbortController()
})
test.after.each(() => over.abort())

/** `isRestarting`: as with --auto-restart. */
const attended = async (isRestarting: boolean) => {
  const cluster = memoryCluster()
  for (const name of ['api', 'worker']) {
    const object = workload('Deployment', { name })
    cluster.put({ ...object, metadata: { name, namespace, labels: { app: name } } })
  }
  const running = { cluster, namespace, clock: systemClock }
  const activated = async (request: UpRequest): Promise<DevRecord> => {
    let record: DevRecord | undefined
    await inRounds(running, (observed) => {
      const planned = planUp(request, observed)
      if (E.isLeft(planned)) throw new Error(planned.left[0].message)
      record = planned.right.record
      return planned.right
    })
    if (record === undefined) throw new Error('there is no record')
    return record
  }
  const record = await activated(requestOf(dev))
  const [service] = dev.services
  if (service === undefined) throw new Error('there is no service')
  const beside = await activated(requestOf(dev, { service, main: record.mirror }))
  const [said, ended]: [Set<string>, Array<string>] = [new Set(), []]
  const progress = { tell: () => {}, end: () => {} }
  const world = { ports: { clock: systemClock, progress }, target: { cluster, namespace }, signal: over.signal }
  attend({
    world,
    record,
    beside: [beside],
    session: { end: ({ reason }) => void ended.push(reason) },
    say: (text) => void said.add(text),
    sayOnce: (text) => void said.add(text),
    restarts: async (changed) => void (isRestarting && (await restartMirror(world, changed)())),
  })
  const edit = (name: string) =>
    cluster.merge(
      { resource: resources.Deployment, name, namespace },
      { spec: { template: { spec: { tolerations: [{ key: 'gpu', operator: 'Exists' }] } } } },
      { manager: 'kubectl' },
    )()
  const mirror = async (...path: ReadonlyArray<string>): Promise<Json | undefined> =>
    at(liveOf(await observedIn(running), 'Deployment', beside.mirror), 'spec', ...path)
  return { beside, cluster, edit, ended, mirror, running, said }
}

test('a changed service is followed like the workload itself, and has its new definition after the restart', async () => {
  for (const isRestarting of [false, true]) {
    const { edit, ended, mirror, said } = await attended(isRestarting)
    await edit('worker')
    await until('it is said', () => said.size > 0)
    assert.equal(
      [...said],
      ['Deployment/worker has changed (spec.tolerations): `devtool restart api` applies it to the service'],
    )
    await until('it is applied', async () => (await mirror('paused')) === (isRestarting ? undefined : true))
    assert.equal(await mirror('template', 'spec', 'tolerations'), [{ key: 'gpu', operator: 'Exists' }])
    assert.equal(ended, [])
  }
})

test('a service that is deleted is said, and the session goes on', async () => {
  const { cluster, ended, said } = await attended(false)
  cluster.take('Deployment', 'worker', namespace)
  await until('it is said', () => said.size > 0)
  assert.equal([...said], ['api: its service has ended: Deployment/worker was deleted or replaced'])
  assert.equal(ended, [])
})

test('a later session that has the development container has its services, which others may not have', async () => {
  const { beside, running } = await attended(false)
  const [service] = dev.services
  const holder = { ...ann, session: 'ann-2', pid: 5000 }
  const later = { holder, isRunning: true, ...(service === undefined ? {} : { service }) }
  const planned = async (main: string) => planUp(requestOf(dev, { ...later, main }), await observedIn(running))
  const own = await planned(beside.main)
  assert.equal(E.isRight(own) && own.right.record?.holder, holder)
  const other = await planned('devtool-up-deployment-web')
  assert.is(E.isLeft(other) && other.left[0].code, 'DT5005')
})

test('a workload that is deleted ends the session', async () => {
  const { cluster, ended } = await attended(false)
  cluster.take('Deployment', 'api', namespace)
  await until('it has ended', () => ended.length > 0 && !ended.every((reason) => reason.startsWith('it was')))
  assert.ok(ended.includes('Deployment/api was deleted or replaced'), ended.join('\n'))
})

test.run()
