/** Whether deploying would make the workloads that `up` misses. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ClusterObject, type Observed, withLives } from '../../../src/domain/cluster/live.ts'
import { unfit, unfitDeployed } from '../../../src/domain/dev/missing.ts'
import { translateFiles } from '../../support/compose/project.ts'
import { workload } from '../../support/dev/workloads.ts'
import { observedOf } from '../../support/kube/live.ts'

const services = 'services:\n  api:\n    image: busybox\n    container_name: main\n'

const live = (name: string): ClusterObject => {
  const object = workload('Deployment', { name })
  return { ...object, apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, uid: name, resourceVersion: '1' } }
}
const nothing = observedOf([])
const withWorkload = (name: string): Observed => observedOf([live(name)])

const codes = (text: string, observed: Observed) => {
  const translation = translateFiles({ 'devtool.yml': text })
  const devs = translation.manifest?.dev ?? []
  return [unfit(devs, observed), unfitDeployed(devs, translation, observed)].map((found) =>
    found.map(({ code }) => code),
  )
}

test('a workload that the project makes is missing only until that is deployed', () => {
  assert.equal(codes(`${services}dev:\n  api: {}\n`, nothing), [['DT5001'], []])
  assert.equal(codes(`${services}dev:\n  api: {}\n`, withWorkload('api')), [[], []])
})

test('a workload or container that the project does not make stays missing', () => {
  assert.equal(codes('dev:\n  api: {}\n', nothing), [['DT5001'], ['DT5001']])
  assert.equal(codes(`${services}dev:\n  apj: {}\n`, nothing), [['DT5001'], ['DT5001']])
  assert.equal(codes(`${services}dev:\n  api: { container: sidecar }\n`, nothing), [['DT5001'], ['DT5003']])
})

test('commands may create any workload, but do not change containers of existing ones', () => {
  const deploy = 'deploy:\n  - helm upgrade --install api chart\n'
  assert.equal(codes(`${deploy}dev:\n  api: {}\n`, nothing), [['DT5001'], []])
  const other = codes(`${deploy}dev:\n  api: { container: sidecar }\n`, withWorkload('api'))
  assert.equal(other, [['DT5003'], ['DT5003']])
})

test('a workload may be of a kind that the user may not list', () => {
  const unlisted = new Map([...nothing].filter(([kind]) => kind !== 'StatefulSet'))
  assert.equal(codes('dev:\n  api: {}\n', unlisted), [['DT5054'], ['DT5054']])
  assert.equal(codes(`${services}dev:\n  api: {}\n`, unlisted), [['DT5054'], []])
  assert.equal(codes('dev:\n  api: {}\n', withLives(unlisted, [live('api')])), [[], []])
})

test('the services of a section have to exist, too, and autocreate creates only its own workload', () => {
  const beside = 'dev:\n  api:\n    services:\n      - name: worker\n'
  assert.equal(codes(beside, withWorkload('api')), [['DT5001'], ['DT5001']])
  assert.equal(codes('dev:\n  api: { autocreate: true, image: busybox }\n', nothing), [[], []])
})

test.run()
