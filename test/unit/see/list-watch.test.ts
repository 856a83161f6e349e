/** `list --watch`: what is printed as the environments change. */
import { setImmediate } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { watchEnvironments, watchServices } from '../../../src/app/inspect/list.ts'
import type { ListForm } from '../../../src/cli/flags/forms.ts'
import { environmentTable, type ListTable, serviceTable } from '../../../src/cli/view/list.ts'
import { listWatchView, troubleView } from '../../../src/cli/view/list-watch.ts'
import { type EnvironmentRecord, emptyRecord, recordBody } from '../../../src/domain/environment/record.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { swiftClock } from '../../support/kube/log-cluster.ts'

const record = (environment: string, more: Partial<EnvironmentRecord>) => {
  const body = recordBody('demo', { ...emptyRecord(environment), who: 'ann', when: '2026-11-21T09:00:00Z', ...more })
  if (body._tag === 'Left') throw new Error(body.left.message)
  return body.right
}

const deployment = (image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    ...{ name: 'web', namespace: 'demo', uid: 'd', generation: 1 },
    labels: { 'dev.devtool/environment': 'shop', 'dev.devtool/service': 'web' },
  },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'web', image }] } } },
  status: { observedGeneration: 1 },
})

const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 5_000 && !holds(); turn += 1) await setImmediate()
  assert.ok(holds(), 'it never came to that')
}

/** A list that is watched, and what has been printed so far. */
const watched = (form: ListForm, environment?: string) => {
  const cluster = memoryCluster({ objects: [record('shop', { status: 'progressing' })] })
  const target = { cluster, namespace: 'demo' }
  const stop = new AbortController()
  const view = listWatchView(form, { isTerminal: false, size: () => ({ columns: 80, rows: 24 }) })
  let printed = ''
  const print = (table: ListTable): Promise<boolean> => {
    printed += view(table, undefined)
    return Promise.resolve(true)
  }
  const { signal } = stop
  const ports = { clock: swiftClock }
  const done =
    environment === undefined
      ? watchEnvironments(ports)(target, { signal, shown: (list) => print(environmentTable(list)) })
      : watchServices(ports)(target, environment, { signal, shown: (list) => print(serviceTable(list)) })
  const end = async (): Promise<void> => {
    stop.abort()
    await done
  }
  return { cluster, end, printed: () => printed }
}

const firstCells = (text: string): ReadonlyArray<string> =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/).slice(0, 2).join(' '))

test('environments are printed once, then those that change', async () => {
  const { cluster, end, printed } = watched('text')
  await until(() => printed().includes('progressing'))
  cluster.put(record('blog', { status: 'deployed' }))
  await until(() => printed().includes('blog'))
  cluster.put(record('shop', { status: 'deployed' }))
  await until(() => /shop +deployed/.test(printed()))
  await end()
  assert.equal(firstCells(printed()), ['Name Status', 'shop progressing', 'blog deployed', 'shop deployed'])
})

test('services are printed once, then those that change', async () => {
  const { cluster, end, printed } = watched('text', 'shop')
  cluster.put(deployment('nginx:1'))
  await until(() => printed().includes('nginx:1'))
  cluster.put(deployment('nginx:2'))
  await until(() => printed().includes('nginx:2'))
  await end()
  assert.match(printed(), /web +Deployment +0\/1 +progressing.*nginx:1\nweb +Deployment +0\/1 +progressing.*nginx:2\n$/)
})

test('as JSON, each change is one line with the whole list', async () => {
  const { cluster, end, printed } = watched('json')
  await until(() => printed() !== '')
  cluster.put(record('shop', { status: 'deployed' }))
  await until(() => printed().includes('deployed'))
  await end()
  const lists: ReadonlyArray<unknown> = printed()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const row = { name: 'shop', services: 0, endpoints: 0, age: '1h', who: 'ann' }
  assert.equal(
    lists,
    ['progressing', 'deployed'].map((status) => ({ schema: 1, namespace: 'demo', environments: [{ ...row, status }] })),
  )
})

test('names are printed once each', async () => {
  const { cluster, end, printed } = watched('name')
  await until(() => printed() !== '')
  cluster.put(record('blog', {}))
  cluster.put(record('shop', { status: 'deployed' }))
  await until(() => printed().includes('blog'))
  await end()
  assert.is(printed(), 'shop\nblog\n')
})

const table = (...rows: ReadonlyArray<ReadonlyArray<string>>): ListTable => ({
  ...{ head: ['Name', 'Status', 'Age'], rows, nothing: 'nothing', data: () => '', line: () => '' },
})

test('a missing entry is printed as deleted, and a new age is not a change', () => {
  const view = listWatchView('text', { isTerminal: false, size: () => ({ columns: 80, rows: 24 }) })
  view(table(['web', 'ready', '1s'], ['db', 'ready', '1s']), undefined)
  assert.is(view(table(['web', 'ready', '9s']), undefined), 'db    deleted  1s\n')
  assert.is(view(table(['web', 'ready', '12s']), undefined), '')
})

test('the table header is printed with the first rows', () => {
  const view = listWatchView('text', { isTerminal: false, size: () => ({ columns: 80, rows: 24 }) })
  assert.is(view(table(), undefined), '')
  assert.is(view(table(['web', 'ready', '1s']), undefined), 'Name  Status  Age\nweb   ready   1s\n')
  assert.is(view(table(), undefined), 'web   deleted  1s\n')
})

test('control characters in names are escaped', () => {
  const view = listWatchView('name', { isTerminal: true, size: () => ({ columns: 80, rows: 24 }) })
  assert.is(view(table(['a\u001b[2Jb', 'ready', '1s']), undefined), 'a\\x1b[2Jb\n')
})

test('the same problem is reported once a minute', () => {
  const said = troubleView()
  const told = [0, 5_000, 59_000, 60_000].map((nowMs) => said('retrying', nowMs))
  assert.equal(told, ['retrying', undefined, undefined, 'retrying'])
  assert.equal(
    [said(undefined, 61_000), said('other', 61_000), said('retrying', 62_000)],
    [undefined, 'other', undefined],
  )
})

test('on a terminal the table is repainted, and never wider or higher than the screen', () => {
  const view = listWatchView('text', { isTerminal: true, size: () => ({ columns: 12, rows: 5 }) })
  const rows = ['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'progressing', '1s'])
  const first = view(table(...rows), undefined)
  assert.is(first, 'Name  Statu…\na     progr…\nb     progr…\n3 more\n')
  const second = view(table(['a', 'ready', '1s']), 'the cluster does not respond: retrying')
  assert.is(second, '\u001b[4A\rName  Statu…\u001b[K\na     ready…\u001b[K\nthe cluster…\u001b[K\n\u001b[J')
})

test.run()
