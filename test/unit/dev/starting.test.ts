/** A development container that is starting, as it is shown and as it fails. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { beginStarting, notStarted, startingOf } from '../../../src/domain/dev/starting.ts'
import { MIRROR_LABEL } from '../../../src/domain/k8s/labels.ts'
import { deployed, event, pod } from '../../support/why/lives.ts'

const record = { container: 'web', dev: 'shop', mirror: 'web' }
const spec = {
  nodeName: 'node1',
  containers: [
    { name: 'devtool-agent', image: 'node:22' },
    { name: 'web', image: 'shop/web:1' },
    { name: 'proxy', image: 'shop/proxy:1' },
  ],
}

const notFound = { waiting: { reason: 'ErrImagePull', message: 'failed to resolve reference: not found' } }
const running = { running: { startedAt: '2026-11-21T10:00:00Z' } }

const podWith = (states: Readonly<Record<string, JsonObject>>, ...more: ReadonlyArray<string>) =>
  pod('a', 'set-web-2', {
    labels: { [MIRROR_LABEL]: 'web' },
    spec,
    status: {
      conditions: ['PodScheduled', ...more].map((type) => ({ type, status: 'True' })),
      containerStatuses: Object.entries(states).map(([name, state]) => ({
        name,
        ready: false,
        restartCount: 0,
        state,
      })),
    },
  })

const startingWith = (states: Readonly<Record<string, JsonObject>>) =>
  startingOf(record, beginStarting, deployed([podWith(states)]), 0)

const said = (states: Readonly<Record<string, JsonObject>>) => notStarted('shop', 'node:22', startingWith(states))

test('an image that is not in its registry is a final cause, with the next step', () => {
  const states = { 'devtool-agent': running, web: notFound }
  assert.equal(
    startingWith(states).causes.map(({ isFinal, subject }) => [subject, isFinal]),
    [['shop', true]],
  )
  const { code, help = '', message } = said(states)
  assert.is(code, 'DT5056')
  assert.match(message, 'shop does not start: the image shop/web:1 is not in its registry')
  assert.match(help, 'check the name and the tag, and that it was pushed; `devtool down shop` restores the workload')
})

test('for an agent image that cannot be pulled, the help names the flag for another one', () => {
  assert.match(said({ 'devtool-agent': notFound }).help ?? '', /--agent-image or DEVTOOL_AGENT_IMAGE/)
})

test('containers of the agent are described by their purpose', () => {
  const starting = podWith({})
  const [name, state] = ['devtool-agent-first', running]
  const preparing = {
    ...starting,
    spec: { ...spec, initContainers: [{ name, image: 'node:22' }] },
    status: {
      conditions: [{ type: 'PodScheduled', status: 'True' }],
      initContainerStatuses: [{ name, ready: false, restartCount: 0, state }],
    },
  }
  assert.is(startingOf(record, beginStarting, deployed([preparing]), 0).detail, 'installing the agent')
})

test('a sidecar that cannot run does not prevent development', () => {
  assert.equal(startingWith({ 'devtool-agent': running, proxy: notFound }).causes, [])
})

test('the events of the node are shown while nothing is wrong', () => {
  const waiting = { waiting: { reason: 'ContainerCreating', message: '' } }
  const pulling = deployed([podWith({ web: waiting })], event('pod-a', 'Pulling', 'Pulling image "shop/web:1"'))
  assert.is(startingOf(record, beginStarting, pulling, 0).detail, 'pulling image shop/web:1')
})

test('a pod that does not appear is reported when nothing else is known', () => {
  assert.match(notStarted('shop', 'node:22', startingOf(record, beginStarting, deployed([]), 0)).message, 'no pod')
})

test('a pod that is ready is not reported as missing when its agent cannot be reached', () => {
  const ready = podWith({ 'devtool-agent': running, web: running }, 'Ready')
  const seen = startingOf(record, beginStarting, deployed([ready]), 0)
  assert.match(notStarted('shop', 'node:22', seen).message, 'its container runs, but the agent in it does not answer')
})

test.run()
