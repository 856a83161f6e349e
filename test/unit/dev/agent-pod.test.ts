/** The pod of a development container. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, type Json, type JsonObject, listAt, numberAt } from '../../../src/domain/cluster/json.ts'
import { type AgentSettings, installerName, withAgent } from '../../../src/domain/dev/agent-pod.ts'

const settings: AgentSettings = { image: 'node:22.1.0-bookworm-slim', files: 'agent', keys: 'keys', port: 2222 }

const app: JsonObject = {
  name: 'app',
  image: 'app:1',
  command: ['serve'],
  args: ['--fast'],
  env: [{ name: 'A', value: 'b' }],
  ports: [{ containerPort: 80 }],
  resources: { limits: { memory: '1Gi' } },
  livenessProbe: { exec: { command: ['true'] } },
  readinessProbe: { exec: { command: ['true'] } },
  lifecycle: { preStop: { exec: { command: ['true'] } } },
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
  workingDir: '/srv',
}
const sidecar: JsonObject = { name: 'proxy', image: 'proxy:1', readinessProbe: { exec: { command: ['true'] } } }
const pod: JsonObject = {
  serviceAccountName: 'robot',
  containers: [sidecar, app],
  volumes: [{ name: 'data', emptyDir: {} }],
}

const containersOf = (spec: JsonObject | undefined) => listAt(spec, 'containers')

test('of the container, only the command, the lifecycle hooks and the probes change', () => {
  const spec = withAgent(pod, 'app', settings)
  const [, , developed] = containersOf(spec)
  assert.equal(developed, {
    name: 'app',
    image: 'app:1',
    command: ['/var/devtool/sh', '/var/devtool/pid1.sh'],
    env: [{ name: 'A', value: 'b' }],
    ports: [{ containerPort: 80 }],
    resources: { limits: { memory: '1Gi' } },
    volumeMounts: [
      { name: 'data', mountPath: '/data' },
      { name: 'devtool', mountPath: '/var/devtool' },
      { name: 'devtool-keys', mountPath: '/var/devtool-keys', readOnly: true },
    ],
    workingDir: '/srv',
  })
})

test('other containers, volumes and settings of the pod stay, after the init container that installs the agent', () => {
  const spec = withAgent(pod, 'app', settings)
  const [installer, second] = containersOf(spec)
  assert.is(JSON.stringify(installer).includes(`"name":"${installerName}"`), true)
  assert.is(second, sidecar)
  assert.is(spec?.['serviceAccountName'], 'robot')
  assert.equal(listAt(spec, 'volumes').slice(0, 1), [{ name: 'data', emptyDir: {} }])
})

const storageOf = (containers: ReadonlyArray<JsonObject>): ReadonlyArray<Json | undefined> => {
  const [installer, filler] = containersOf(withAgent({ containers }, 'app', settings, [{ name: 'v', mountPath: '/v' }]))
  return [installer, filler].map((container) => at(container, 'resources', 'limits', 'ephemeral-storage'))
}

test('the files of the pod are only limited where all of its containers had a limit, as a quota wants it', () => {
  const limited = { resources: { limits: { 'ephemeral-storage': '1Gi' } } }
  assert.equal(storageOf([app, sidecar]), [undefined, undefined])
  assert.equal(storageOf([{ ...app, ...limited }, sidecar]), [undefined, undefined])
  assert.equal(
    storageOf([
      { ...app, ...limited },
      { ...sidecar, ...limited },
    ]),
    ['500Mi', '500Mi'],
  )
})

const users: ReadonlyArray<readonly [string, JsonObject, JsonObject, number]> = [
  ['of the container', { securityContext: { runAsUser: 1 } }, { securityContext: { runAsUser: 7 } }, 7],
  ['of the pod', { securityContext: { runAsUser: 1 } }, {}, 1],
  ['that is not root, without one', {}, {}, 65_532],
]
for (const [whose, podPart, containerPart, expected] of users) {
  test(`the agent is installed as the user ${whose}`, () => {
    const spec = withAgent({ ...podPart, containers: [{ ...app, ...containerPart }] }, 'app', settings)
    assert.is(numberAt(containersOf(spec)[0], 'securityContext', 'runAsUser'), expected)
  })
}

test('a pod in the network of its node gets a port that is free there', () => {
  const [, developed] = containersOf(withAgent({ containers: [app] }, 'app', { ...settings, port: 3022 }))
  assert.equal(listAt(developed, 'env').slice(1), [{ name: 'DEVTOOL_AGENT_PORT', value: '3022' }])
})

test('a container that the pod does not have is not found', () => {
  assert.is(withAgent(pod, 'db', settings), undefined)
})

test.run()
