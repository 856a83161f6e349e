/** Custom resources that commands made: those with a Ready or Available condition are waited for. */
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../src/domain/cluster/json.ts'
import { type Lab, openLab, type Space } from '../support/e2e/e2e.ts'
import { pathWithTools } from '../support/e2e/helm.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

const group = `e2e-${process.pid}.example.com`
const kinds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `gadgets.${group}` },
  spec: {
    group,
    names: { kind: 'Gadget', plural: 'gadgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

const { api } = await openLab()

const sent = async (
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST',
  path: string,
  body?: JsonObject,
  type = 'application/json',
): Promise<number> =>
  (await api.send({ method, path, ...(body === undefined ? {} : { body: JSON.stringify(body), type }) })).status

const condition = (type: string, status: string, message: string): JsonObject => ({
  status: { conditions: [{ type, status, reason: 'Test', message }] },
})

const gadget = (name: string, type: string): string => `
apiVersion: ${group}/v1
kind: Gadget
metadata: {name: ${name}}
status: {conditions: [{type: ${type}, status: "False", reason: Test, message: "${name} is warming up"}]}
---`

const pathOf = ({ namespace }: Space, name: string): string =>
  `/apis/${group}/v1/namespaces/${namespace}/gadgets/${name}`

const isThere = (space: Space, name: string): Promise<void> =>
  until(`${name} is there`, async () => (await sent('GET', pathOf(space, name))) === 200)

const begin = (space: Space) => {
  space.write('gadgets.yaml', `${gadget('one', 'Ready')}${gadget('two', 'Available')}`)
  space.write('devtool.yml', 'deploy: [kubectl apply -f gadgets.yaml]\n')
  return space.start('deploy', '--wait', '--timeout', '5m')
}

const becomeReady = async (space: Space, _lab: Lab): Promise<void> => {
  const { ended } = begin(space)
  const turn = async (name: string, type: string): Promise<void> => {
    await isThere(space, name)
    const status = condition(type, 'True', 'warm')
    assert.is(await sent('PATCH', pathOf(space, name), status, 'application/merge-patch+json'), 200)
  }
  await turn('one', 'Ready')
  const first = await Promise.race([ended, sleep(4000, 'waiting' as const)])
  assert.is(first, 'waiting', 'it ended before both were ready')
  await turn('two', 'Available')
  const { status, stderr } = await ended
  assert.is(status, 0, stderr)
  assert.not.match(stderr, 'DT3162')
}

const stayBehind = async (space: Space): Promise<void> => {
  const { status, stderr } = await begin(space).ended
  assert.is(status, 0, stderr)
  assert.match(stderr, 'warning DT3162: not ready 30 s after everything else: ')
  for (const name of ['one', 'two']) assert.match(stderr, `${name} is warming up`)
}

const test = suite('custom resources')

assert.is(await sent('POST', kinds, definition), 201)
await until('the kind is served', async () => (await sent('GET', `/apis/${group}/v1`)) === 200)
test.after(async () => {
  await sent('DELETE', `${kinds}/${definition.metadata.name}`)
})

const options = { env: { PATH: await pathWithTools() } }

await scenarios(test, [
  { title: 'a deploy ends when the conditions of all of them are true', space: 'ready', options, run: becomeReady },
  { title: 'custom resources that are not ready in time are a warning', space: 'behind', options, run: stayBehind },
])

test.run()
