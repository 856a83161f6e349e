import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { printYaml } from '../../../src/domain/print/yaml.ts'
import { manifestsOf, objectsOf, translateFiles } from '../../support/compose/project.ts'

const shop = `
services:
  web: {image: nginx, ports: [8080], depends_on: {api: {condition: service_healthy}}}
  api: {image: api, expose: [3000], volumes: ["data:/d"], healthcheck: {test: "true"}}
  job: {image: job, volumes: ["data:/d", "more:/m"], depends_on: [web]}
  admin: {image: admin, expose: [9000], configs: [lost], depends_on: {api: {condition: service_started}}}
  side: {image: side, expose: [7000], network_mode: "service:admin", volumes: ["side:/s"], depends_on: [late]}
  late: {image: late, environment: {WEB: "http://web:4444"}}
  hidden: {image: hidden, profiles: [more], expose: [1], volumes: ["data:/d"]}
  seldom: {image: seldom, profiles: [more], expose: [2], volumes: ["alone:/d"]}
volumes: {data: , more: , side: , alone: }
configs: {lost: {content: x}}
endpoints:
  - {path: /, service: web, port: 8080}
  - {path: /admin, service: admin, port: 9000}
  - {path: /hidden, service: hidden, port: 1}
`

const files = { 'compose.yaml': shop }
const whole = translateFiles(files)
const part = (...services: ReadonlyArray<string>) => translateFiles(files, { services })
const idsOf = (...services: ReadonlyArray<string>): ReadonlyArray<string> =>
  (part(...services).plan?.actions ?? []).map(({ id }) => id)
const objectIn = (text: string, services: ReadonlyArray<string>): string =>
  objectsOf(translateFiles({ 'compose.yaml': text }, { services }))
    .map((object) => printYaml(object))
    .join('')

test('a part contains what its services need, with every action as in the whole plan', () => {
  assert.equal(idsOf('api'), ['apply/PersistentVolumeClaim/data', 'apply/StatefulSet/api', 'apply/Service/api'])
  assert.equal(idsOf('web'), [
    'apply/PersistentVolumeClaim/data',
    'apply/Deployment/web',
    'apply/Service/web',
    'apply/StatefulSet/api',
    'apply/Service/api',
    'await/api/service_healthy',
    'apply/Ingress/shop',
  ])
  for (const name of ['web', 'api', 'job', 'admin', 'side', 'late']) {
    for (const action of part(name).plan?.actions ?? []) {
      assert.equal(
        action,
        whole.plan?.actions.find(({ id }) => id === action.id),
        action.id,
      )
    }
  }
})

test('a service that shares a volume with services that are not deployed stays on their node', () => {
  const group = /dev\.devtool\/volume-group: data/
  assert.match(manifestsOf(part('api')), group)
  assert.match(manifestsOf(part('api')), /podAffinity/)
})

test('services with a common alias are deployed together, so that it keeps reaching all of them', () => {
  const text = `
services:
  a: {image: x, networks: {default: {aliases: [api]}}, configs: [made]}
  side: {image: x, network_mode: "service:a"}
  b: {image: x, networks: {default: {aliases: [api, other]}}, depends_on: [late]}
  c: {image: x, networks: {default: {aliases: [other]}}}
  late: {image: x, networks: {default: {aliases: [late]}}}
  alone: {image: x, networks: {default: {aliases: [c, lonely]}}}
configs: {made: {content: x}}
`
  const inFull = translateFiles({ 'compose.yaml': text }).plan?.actions ?? []
  const partial = (name: string): ReadonlyArray<string> =>
    (translateFiles({ 'compose.yaml': text }, { services: [name] }).plan?.actions ?? []).map(({ id }) => id)
  const together = inFull.map(({ id }) => id).filter((id) => !id.includes('alone') && !id.includes('lonely'))
  for (const name of ['a', 'side', 'b', 'c']) assert.equal(partial(name), together, name)
  assert.equal(partial('late'), ['apply/Deployment/late', 'apply/Service/late'])
  assert.equal(partial('alone'), ['apply/Deployment/alone', 'apply/Service/alone', 'apply/Service/lonely'])
})

test('an Ingress keeps the paths of services that are not deployed, unless none of them is', () => {
  assert.match(manifestsOf(part('web')), /path: "?\/admin/)
  assert.not.match(manifestsOf(part('late')), /kind: Ingress/)
})

test('a pod is deployed with all of its containers and what they wait for', () => {
  const ids = idsOf('admin')
  for (const id of ['apply/Service/side', 'apply/PersistentVolumeClaim/side', 'apply/Deployment/late'])
    assert.ok(ids.includes(id), id)
  assert.equal(idsOf('side'), ids)
})

test('a service outside the profiles can be deployed alone, and changes only what it shares', () => {
  assert.equal(idsOf('hidden'), [
    'apply/PersistentVolumeClaim/data',
    'apply/StatefulSet/hidden',
    'apply/Service/hidden',
    'apply/Ingress/shop',
  ])
  assert.match(manifestsOf(part('hidden')), /path: "?\/hidden/)
  assert.not.match(manifestsOf(part('web')), /path: "?\/hidden/)
  const services = 'services: {a: {image: x, profiles: [p]}, b: {image: x, profiles: [p], volumes: ["v:/v"]}'
  const text = `${services}, c: {image: x, volumes: ["v:/v"]}}\nvolumes: {v: }\n`
  assert.not.match(objectIn(text, ['a', 'c']), /volume-group/)
  assert.match(objectIn(text, ['b', 'c']), /volume-group/)
})

test('files of services that are not deployed may be missing, but other mistakes are reported', () => {
  const text = 'services: {web: {image: x}, api: {image: x, secrets: [s], ports: [no]}}\nsecrets: {s: {file: ./gone}}\n'
  const codesOf = (services: ReadonlyArray<string>) =>
    translateFiles({ 'compose.yaml': text }, { services }).findings.map(({ code }) => code)
  const [all, web] = [codesOf([]), codesOf(['web'])]
  assert.is(all.length, 2)
  assert.is(web.length, 1)
  assert.ok(web.every((code) => all.includes(code)))
})

const limited = (services: ReadonlyArray<string>) =>
  translateFiles(
    {
      'devtool.yml': 'name: shop\ndeploy: {compose: {file: a.yaml, services: [web, api]}}\n',
      'a.yaml': shop,
    },
    { files: ['devtool.yml'], services },
  )

test('services that a manifest leaves out are not part of the environment', () => {
  const all = limited([])
  assert.not.match(manifestsOf(all), /admin|volume-group/)
  for (const object of objectsOf(limited(['web'])))
    assert.ok(manifestsOf(all).includes(printYaml(object)), object.metadata.name)
  const more = manifestsOf(limited(['admin']))
  assert.match(more, /path: "?\/admin/)
  assert.match(more, /kind: Deployment\nmetadata:\n {2}name: admin/)
  assert.not.match(more, /kind: Deployment\nmetadata:\n {2}name: web/)
})

test.run()
