/** `doctor NAME`, when there is no such service. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { doctor } from '../../../src/app/inspect/doctor.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { memoryFiles } from '../../memory/files.ts'
import { memoryHome } from '../../memory/home.ts'
import { diskOf } from '../../support/cli/cli.ts'

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace: 'demo',
    name: 'web-1',
    labels: { 'dev.devtool/environment': 'shop', 'dev.devtool/service': 'web' },
  },
}

const report = async (service: string, isAway: boolean) => {
  const cluster = memoryCluster({ objects: [pod] })
  if (isAway) cluster.fail({ verb: 'list', what: '*', status: 0 })
  const disk = diskOf({})
  const files = memoryFiles(disk)
  const { findings } = await doctor({ clock: memoryClock(), files, home: memoryHome(), writer: files })({
    target: { cluster, context: 'lab', namespace: 'demo', settings: {}, isNamed: true, findings: [] },
    environment: 'shop',
    service,
    files: [],
    facts: { version: '1.2.3', node: 'v22.0.0', os: 'linux', arch: 'x64' },
    signal: new AbortController().signal,
  })
  return { findings, isWritten: disk.size > 0 }
}

test('a report on an unknown service is an error that names the services', async () => {
  const { findings, isWritten } = await report('wbe', false)
  assert.equal(
    findings.map(({ code, help, severity }) => [severity, code, help]),
    [['error', 'DT3402', 'services: web']],
  )
  assert.not.ok(isWritten)
  assert.ok((await report('web', false)).isWritten)
})

test('a service that may be among unreadable objects is accepted', async () => {
  const { findings, isWritten } = await report('wbe', true)
  assert.ok(findings.every(({ code }) => code === 'DT3408'))
  assert.ok(isWritten)
})

test.run()
