/** A user other than root may listen below port 1024, as under Docker. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { objectsOf, translateFiles } from '../../support/compose/project.ts'

const name = 'net.ipv4.ip_unprivileged_port_start'

const sysctlsOf = (service: string): unknown => {
  const objects = objectsOf(translateFiles({ 'compose.yaml': `services:\n  web: {image: nginx, ${service}}\n` }))
  const workload = objects.find((object) => object.kind === 'Deployment')
  assert.ok(workload?.kind === 'Deployment')
  return workload.spec.template.spec.securityContext.sysctls
}

const cases: ReadonlyArray<readonly [title: string, service: string, value: string | undefined]> = [
  ['a number and a published port', 'user: "101", ports: ["8080:80"]', '0'],
  ['a number and an exposed port', 'user: "101:101", expose: ["443"]', '0'],
  ['a number and a high port', 'user: "101", ports: ["80:8080"]', undefined],
  ['root', 'user: root, ports: ["8080:80"]', undefined],
  ['the user of the image', 'ports: ["8080:80"]', undefined],
  ['a value of its own', `user: "101", ports: ["8080:80"], sysctls: {${name}: 80}`, '80'],
  ['the network of the host', 'user: "101", ports: ["8080:80"], network_mode: host', undefined],
]

for (const [title, service, value] of cases) {
  test(`${title}: ${value === undefined ? 'nothing is set' : `ports from ${value} are open to every user`}`, () => {
    assert.equal(sysctlsOf(service), value === undefined ? undefined : [{ name, value }])
  })
}

test('in a shared pod, the user of any service counts', () => {
  const joined =
    'services:\n  web: {image: nginx}\n  side: {image: x, network_mode: "service:web", user: "5", expose: [80]}\n'
  const pod = objectsOf(translateFiles({ 'compose.yaml': joined })).find((object) => object.kind === 'Deployment')
  assert.ok(pod?.kind === 'Deployment')
  assert.equal(pod.spec.template.spec.securityContext.sysctls, [{ name, value: '0' }])
})

test.run()
