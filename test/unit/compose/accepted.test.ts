/** What Docker Compose accepts over and above what a cluster is asked for. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Translation } from '../../../src/app/project/translation.ts'
import { type AcceptedCase, accepting, at, container, pod, problems } from '../../support/compose/accepted.ts'
import { manifestsOf, objectsOf, translateFiles } from '../../support/compose/project.ts'

/** How often the label of services that share the alias `db` is there: once in the selector, and once a service. */
const marksOf = (made: Translation): number => manifestsOf(made).split('dev.devtool/alias-7bdc25d1: "true"').length - 1

const deploymentsOf = (made: Translation): ReadonlyArray<string> =>
  objectsOf(made).flatMap(({ kind, metadata }) => (kind === 'Deployment' ? [metadata.name] : []))

const step = [...pod, 'initContainers', 0] as const

const cases: ReadonlyArray<AcceptedCase> = [
  {
    title: 'an alias of several services of a network resolves to all of them',
    services: [
      'one: {image: nginx, networks: {back: {aliases: [db]}}}',
      'two: {image: nginx, container_name: db, networks: [front, back]}',
      'three: {image: nginx, networks: [front]}',
    ].join('\n  '),
    top: 'networks: {front: , back: }',
    warnings: ['DT1128'],
    check: (made) => assert.is(marksOf(made), 3),
  },
  {
    title: 'a link may give two services the same name for one service',
    services: 'one: {image: nginx}\n  two: {image: nginx}\n  web: {image: nginx, links: ["one:db", "two:db"]}',
    warnings: [],
    check: (made) => assert.is(marksOf(made), 3),
  },
  {
    title: 'a health check without a test is no probe',
    services: 'web: {image: nginx, healthcheck: {interval: 5s, disable: false}}',
    warnings: ['DT1106'],
    check: (made) => assert.is(at(made, 'Deployment/web', ...container, 'readinessProbe'), undefined),
  },
  {
    title: 'a named pipe of Windows is left out, whatever it is called',
    services: 'web: {image: nginx, volumes: [{type: npipe, source: \\\\.\\pipe\\docker, target: \\\\.\\pipe\\docker}]}',
    warnings: ['DT1102'],
    check: (made) => assert.is(at(made, 'Deployment/web', ...container, 'volumeMounts'), undefined),
  },
  {
    title: 'an empty address of a port is every address',
    services: 'web: {image: nginx, ports: [":8000:8000"]}',
    warnings: [],
    check: (made) => {
      assert.is(at(made, 'Service/web', 'spec', 'ports', 0, 'port'), 8000)
      assert.ok(manifestsOf(made).includes('kind: Ingress'))
    },
  },
  {
    title: 'external names become valid Kubernetes names',
    services: 'web: {image: nginx, volumes: ["v:/v"], secrets: [s], configs: [c]}',
    top: 'volumes: {v: {external: true, name: My_Data}}\nsecrets: {s: {external: true, name: A_B}}\nconfigs: {c: {external: {name: a b}}}',
    warnings: ['DT1103', 'DT1103', 'DT1103'],
    check: (made) => {
      const volumes = JSON.stringify(at(made, 'StatefulSet/web', ...pod, 'volumes'))
      for (const name of ['my-data', 'a-b']) assert.ok(volumes.includes(`"${name}"`), volumes)
    },
  },
  {
    title: 'of two mounts at one path the last is used',
    services: 'web: {image: nginx, volumes: ["v:/d", "w:/d"]}',
    top: 'volumes: {v: {}, w: {}}',
    warnings: ['DT1039'],
    check: (made) => {
      assert.is(at(made, 'StatefulSet/web', ...container, 'volumeMounts', 0, 'name'), 'w')
      assert.is(at(made, 'StatefulSet/web', ...container, 'volumeMounts', 1), undefined)
    },
  },
  {
    title: 'an unset variable in dns or restart is the same as leaving the field out',
    services:
      'web: {image: nginx, dns: "${DNS}", restart: "${RESTART}"}\n  api: {image: nginx, dns: ["${DNS}", 192.0.2.1]}',
    warnings: ['DT1011'],
    check: (made) => {
      assert.is(at(made, 'Deployment/web', ...pod, 'dnsConfig'), undefined)
      assert.equal(at(made, 'Deployment/api', ...pod, 'dnsConfig', 'nameservers'), ['192.0.2.1'])
    },
  },
  {
    title: 'an unset variable in the image of a service that is built gives a generated name',
    services: 'web: {image: "example.com/${TAG}", build: .}\n  api: {image: "${IMAGE}", build: .}',
    warnings: ['DT1026', 'DT1011', 'DT1026'],
    check: (made) => {
      assert.is(at(made, 'Deployment/web', ...container, 'image'), 'shop-web:dev')
      assert.is(at(made, 'Deployment/api', ...container, 'image'), 'shop-api:dev')
    },
  },
  {
    title: 'of two mappings of the same port with different settings the last is used',
    services:
      'web: {image: nginx, ports: [{target: 80, published: 80, name: old, mode: host}, "80:80"]}\n  api: {image: nginx, ports: ["81:81", {target: 81, published: "81", name: new}]}\n  db: {image: nginx, ports: ["82:82", {target: 82, published: 82}]}',
    warnings: ['DT1121', 'DT1121'],
    check: (made) => {
      const port = (number: number, name: string): unknown => ({
        name,
        port: number,
        targetPort: number,
        protocol: 'TCP',
      })
      assert.equal(at(made, 'Service/web', 'spec', 'ports'), [port(80, 'p-80-tcp')])
      assert.equal(at(made, 'Service/api', 'spec', 'ports'), [port(81, 'new')])
      assert.equal(at(made, 'Service/db', 'spec', 'ports'), [port(82, 'p-82-tcp')])
    },
  },
  {
    title: 'cpus takes precedence over cpu_count',
    services: 'web: {image: nginx, cpus: 0.5, cpu_count: 2}',
    warnings: ['DT1102'],
    check: (made) => assert.ok(manifestsOf(made).includes('cpu: "500m"')),
  },
  {
    title: 'stages are built without cache',
    services: 'web: {build: {context: ., no_cache_filter: [base, "test"]}}',
    warnings: [],
    check: ({ images }) =>
      assert.equal(
        images[0]?.noCacheFilter?.map(({ value }) => value),
        ['base', 'test'],
      ),
  },
  {
    title: 'a runtime is a runtime class',
    services:
      'web: {image: nginx, runtime: gvisor}\n  api: {image: nginx, runtime: runc}\n  db: {image: nginx, runtime: io.containerd.Kata_v2}',
    warnings: ['DT1110', 'DT1102'],
    check: (made) => {
      assert.is(at(made, 'Deployment/web', ...pod, 'runtimeClassName'), 'gvisor')
      assert.is(at(made, 'Deployment/api', ...pod, 'runtimeClassName'), undefined)
      assert.is(at(made, 'Deployment/db', ...pod, 'runtimeClassName'), undefined)
    },
  },
  {
    title: 'a service without restart whose completion is awaited is a Job',
    services:
      'web: {image: nginx, depends_on: {setup: {condition: service_completed_successfully}}}\n  setup: {image: busybox}',
    warnings: [],
    check: (made) => {
      assert.is(at(made, 'Job/setup', ...pod, 'restartPolicy'), 'Never')
      assert.ok(made.findings.some(({ code }) => code === 'DT1206'))
    },
  },
  {
    title: 'a service disabled by its profile can still make another one a Job',
    services:
      'web: {image: nginx, profiles: [off], depends_on: {setup: {condition: service_completed_successfully}}}\n  setup: {image: busybox}',
    warnings: [],
    check: (made) => assert.is(at(made, 'Job/setup', ...pod, 'restartPolicy'), 'Never'),
  },
  {
    title: 'the empty profile is active while no other is wanted',
    services: 'web: {image: nginx, profiles: ["", small]}\n  big: {image: nginx, profiles: [big]}',
    warnings: [],
    check: (made) => assert.equal(deploymentsOf(made), ['web']),
  },
  {
    title: 'the empty profile is not active beside another one',
    services: 'web: {image: nginx, profiles: ["", small]}\n  big: {image: nginx, profiles: [big]}',
    files: { '.env': 'COMPOSE_PROFILES=big\n' },
    warnings: [],
    check: (made) => assert.equal(deploymentsOf(made), ['big']),
  },
  {
    title: 'the other fields of a service disabled by its profile have no effect',
    services:
      'web: {image: nginx}\n  off: {image: X, profiles: [off], ports: ["99999"], restart: sometimes, depends_on: [nobody], build: {context: ., dockerfile: a, dockerfile_inline: b}}',
    warnings: [],
    check: (made) => assert.is(objectsOf(made).length, 2),
  },
  {
    title: 'a service in the network of a named container of the file shares its pod',
    services: 'web: {image: nginx, container_name: front}\n  log: {image: busybox, network_mode: "container:front"}',
    warnings: [],
    check: (made) => assert.is(at(made, 'Deployment/web', ...pod, 'containers', 1, 'name'), 'log'),
  },
  {
    title: 'two services may name one image and build it differently',
    services: 'web: {image: example.com/a, build: .}\n  api: {image: example.com/a, build: ./api}',
    files: { 'api/Dockerfile': 'FROM scratch\n' },
    warnings: ['DT4031'],
    check: (made) => assert.is(at(made, 'Deployment/api', ...container, 'image'), 'example.com/a'),
  },
  {
    title: 'steps before a container have an image, a user, a folder and variables of their own',
    services:
      'web: {image: nginx, scale: 2, environment: {A: a, B: b}, pre_start: [{image: alpine, command: [x], per_replica: true, user: "1:2", working_dir: /w, environment: {B: c}}, {command: y}]}',
    warnings: ['DT1110'],
    check: (made) => {
      assert.is(at(made, 'Deployment/web', ...step, 'image'), 'alpine')
      assert.equal(at(made, 'Deployment/web', ...step, 'args'), ['x'])
      assert.is(at(made, 'Deployment/web', ...step, 'workingDir'), '/w')
      assert.is(at(made, 'Deployment/web', ...step, 'securityContext', 'runAsUser'), 1)
      assert.equal(at(made, 'Deployment/web', ...step, 'env'), [
        { name: 'A', value: 'a' },
        { name: 'B', value: 'c' },
      ])
      assert.equal(at(made, 'Deployment/web', ...pod, 'initContainers', 1, 'args'), ['y'])
    },
  },
  {
    title: 'a step before a container has an image of its own, whose name may have a registry and a digest',
    services: `web: {image: nginx, pre_start: [{image: "example.com:5000/a/b:1@sha256:${'0'.repeat(64)}", command: x}]}`,
    warnings: [],
    check: (made) =>
      assert.is(at(made, 'Deployment/web', ...step, 'image'), `example.com:5000/a/b:1@sha256:${'0'.repeat(64)}`),
  },
  {
    title: 'a step that runs before each replica is one before each pod',
    services: 'web: {image: nginx, scale: 3, pre_start: [{command: x, per_replica: true}]}',
    warnings: [],
    check: (made) => assert.is(at(made, 'Deployment/web', ...step, 'image'), 'nginx'),
  },
  {
    title: 'a step may run as another user',
    services: 'web: {image: nginx, user: "5", pre_start: [{command: x, user: root}]}',
    warnings: [],
    check: (made) => {
      assert.is(at(made, 'Deployment/web', ...step, 'securityContext', 'runAsUser'), 0)
      assert.is(at(made, 'Deployment/web', ...container, 'securityContext', 'runAsUser'), 5)
    },
  },
  {
    title: 'a step may run in another folder',
    services: 'web: {image: nginx, working_dir: /a, pre_start: [{command: x, working_dir: /b}]}',
    warnings: [],
    check: (made) => assert.is(at(made, 'Deployment/web', ...step, 'workingDir'), '/b'),
  },
  {
    title: 'a step has the variables of its service and its own, in either notation',
    services: 'web: {image: nginx, environment: {A: a}, pre_start: [{command: x, environment: [B=b]}]}',
    warnings: [],
    check: (made) =>
      assert.equal(at(made, 'Deployment/web', ...step, 'env'), [
        { name: 'A', value: 'a' },
        { name: 'B', value: 'b' },
      ]),
  },
]

for (const [title, run] of accepting(cases)) test(title, run)

test('a file without services makes no objects', () => {
  for (const text of ['services: {}\n', 'services:\n', 'x-nothing: 1\n', 'networks: {a: {}}\n']) {
    const made = translateFiles({ 'compose.yaml': text })
    assert.equal(problems(made), [], text)
    assert.equal(objectsOf(made), [], text)
  }
})

test.run()
