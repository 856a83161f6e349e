/** The services of an environment, when the records of its namespace cannot be read. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { listServices } from '../../../src/app/inspect/list.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { record } from '../../support/cluster/destroy.ts'

const broken = { ...record(), binaryData: { record: 'AAAA' } }

const listWith = async (status?: number) => {
  const cluster = memoryCluster({ objects: [broken] })
  if (status !== undefined) cluster.fail({ verb: 'list', what: 'configmaps', status, message: 'no' })
  const { findings, value } = await listServices({ clock: memoryClock() })({ cluster, namespace: 'dev' }, 'shop')
  return { isListed: value !== undefined, findings: findings.map(({ code, severity }) => `${severity} ${code}`) }
}

test('services are listed with a warning when records may not be listed', async () => {
  assert.equal(await listWith(403), { isListed: true, findings: ['warning DT3003'] })
})

test('services are not listed when listing records fails', async () => {
  assert.equal(await listWith(500), { isListed: false, findings: ['error DT3004'] })
  assert.equal(await listWith(401), { isListed: false, findings: ['error DT3002'] })
})

test('a record that cannot be read is noted beside the services', async () => {
  assert.equal(await listWith(), { isListed: true, findings: ['warning DT3113'] })
})

test.run()
