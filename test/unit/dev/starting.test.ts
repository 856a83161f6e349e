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

const began = '2026-11-21T10:00:00Z'
const refused = {
  reason: 'StartError',
  exitCode: 128,
  finishedAt: began,
  message:
    'failed to create containerd task: unable to start container process: exec: "/var/devtool/sh": stat /var/devtool/sh: no such file or directory: unknown',
}
const backOff = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } }
const unstarted = { name: 'web', ready: false, restartCount: 1, state: backOff, lastState: { terminated: refused } }
const words = 'the image of the agent must have glibc: use an image of Node for Debian'

/** As a kubelet reports it: the hook has failed, and the developed container was started all the same. */
const installing = (restartCount: number, state: JsonObject, ready = false, web: JsonObject = unstarted) => {
  const lastState = { terminated: { reason: 'Completed', exitCode: 0, finishedAt: began, message: `${words}\n` } }
  const starting = podWith({})
  const agent = { name: 'devtool-agent', ready, restartCount, state, ...(restartCount === 0 ? {} : { lastState }) }
  const status = { conditions: [{ type: 'PodScheduled', status: 'True' }], containerStatuses: [agent, web] }
  return deployed([{ ...starting, status }], event('pod-a', 'FailedPostStartHook', 'PostStartHook failed'))
}

test('an agent that cannot be installed is the cause, in its own words, once it has failed several times', () => {
  let seen = startingOf(record, beginStarting, installing(0, { waiting: { reason: 'ContainerCreating' } }), 0)
  const finals = [1, 2, 3].map((restarts) => {
    seen = startingOf(record, seen, installing(restarts, backOff), restarts * 10_000)
    assert.is(seen.detail, `the agent cannot be installed from the image node:22: ${words}`)
    return seen.causes.map(({ isFinal, message }) => [isFinal, message])
  })
  const message = `the agent cannot be installed from the image node:22: ${words}`
  assert.equal(finals, [[[false, message]], [[false, message]], [[true, message]]])
  const { help = '', message: shown } = notStarted('shop', 'node:22', seen)
  assert.is(shown, `shop does not start: ${message}`)
  assert.match(help, '--agent-image or DEVTOOL_AGENT_IMAGE names another image for the agent')
  const other = notStarted('shop', 'node:23', seen)
  assert.match(other.help ?? '', 'initContainer: { image: ... }')
})

test('a container that was started before the agent was installed is tried again, and reported when it fails since', () => {
  const first = startingOf(record, beginStarting, installing(0, { waiting: { reason: 'ContainerCreating' } }), 0)
  const installed = { running: { startedAt: '2026-11-21T10:00:01Z' } }
  assert.equal(startingOf(record, first, installing(1, installed, true), 2000).causes, [])
  const later = { ...unstarted, lastState: { terminated: { ...refused, finishedAt: '2026-11-21T10:00:12Z' } } }
  const [cause] = startingOf(record, first, installing(1, installed, true, later), 14_000).causes
  assert.match(cause?.message ?? '', 'cannot be started')
})

test('what the node says of the hook is the reason when the installation could not speak for itself', () => {
  const message =
    'Exec lifecycle hook ([node install.cjs]) for Container "devtool-agent" in Pod "a" failed - error: rpc error: exec failed: unable to start container process: exec: "node": executable file not found in $PATH: unknown, message: ""'
  const observed = installing(0, { waiting: { reason: 'PostStartHookError', message } })
  const { causes } = startingOf(record, beginStarting, observed, 0)
  assert.equal(
    causes.map((cause) => cause.message),
    ['the agent cannot be installed from the image node:22: exec: "node": executable file not found in $PATH'],
  )
})

test('files of the image that cannot be copied into the volume are the cause, and an agent that is missing is not', () => {
  const hook = { reason: 'PostStartHookError', message: 'hook failed, message: "ENOSPC: no space left on device"' }
  const states = { 'devtool-agent': running, 'devtool-agent-fill': { waiting: hook }, web: running }
  const messages = (all: Readonly<Record<string, JsonObject>>) => startingWith(all).causes.map(({ message }) => message)
  assert.match(messages(states)[0] ?? '', 'cannot be copied into the volume: hook failed')
  assert.equal(messages({ ...states, 'devtool-agent-fill': { terminated: refused } }), [])
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
