/** Values that Docker Compose accepts although they say little: each has a finding, or counts as not written. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type AcceptedCase, accepting, at, container, pod } from '../../support/compose/accepted.ts'
import { manifestsOf, objectsOf, translateFiles } from '../../support/compose/project.ts'

const cases: ReadonlyArray<AcceptedCase> = [
  {
    title: 'a step without a command runs that of its service',
    services: 'web: {image: nginx, entrypoint: [a], command: [b], pre_start: [{user: "0"}, {entrypoint: [c]}]}',
    warnings: [],
    check: (made) => {
      const step = (index: number, member: string) =>
        at(made, 'Deployment/web', ...pod, 'initContainers', index, member)
      assert.equal([step(0, 'command'), step(0, 'args')], [['a'], ['b']])
      assert.equal([step(1, 'command'), step(1, 'args')], [['c'], ['b']])
    },
  },
  {
    title: 'items of a list are left out when their variable is not set',
    services:
      'web: {image: nginx, cap_add: ["${NONE}"], tmpfs: ["${NONE}"], expose: ["${NONE}"], environment: ["${NONE}"], deploy: {placement: {constraints: ["${NONE}"]}}}',
    warnings: ['DT1011'],
    check: (made) => {
      assert.equal(Object.keys(Object(at(made, 'Deployment/web', ...container))), ['name', 'image'])
      assert.is(at(made, 'Deployment/web', ...pod, 'affinity'), undefined)
    },
  },
  {
    title: 'a whole number may be written as a decimal',
    services: 'web: {image: nginx, scale: 2.0}',
    warnings: [],
    check: (made) => assert.is(at(made, 'Deployment/web', 'spec', 'replicas'), 2),
  },
  {
    title: 'words after the text of CMD-SHELL are its arguments, as in Docker',
    services: 'web: {image: nginx, healthcheck: {test: [CMD-SHELL, exit, "1"]}}',
    warnings: ['DT1106'],
    check: (made) =>
      assert.equal(at(made, 'Deployment/web', ...container, 'readinessProbe', 'exec', 'command'), [
        ...['sh', '-c', 'exit', '1'],
      ]),
  },
  {
    title: 'cpu_count has no effect beside another limit',
    services: 'web: {image: nginx, cpu_count: 1, deploy: {resources: {limits: {cpus: "2"}}}}',
    warnings: ['DT1102'],
    check: (made) => assert.match(manifestsOf(made), 'cpu: "2"'),
  },
  {
    title: 'an empty restart policy is none',
    services: 'web: {image: nginx, restart: ""}',
    warnings: [],
    check: (made) => assert.ok(at(made, 'Deployment/web', 'spec')),
  },
  {
    title: 'an empty health check is no probe',
    services: 'web: {image: nginx, healthcheck: {test: []}}\n  api: {image: nginx, healthcheck: {test: ""}}',
    warnings: ['DT1106'],
    check: (made) => assert.not.match(manifestsOf(made), 'readinessProbe'),
  },
  {
    title: 'a network of another container engine has no effect',
    services: 'web: {image: nginx, network_mode: "slirp4netns:mtu=1500"}',
    warnings: ['DT1110'],
    check: (made) => assert.ok(at(made, 'Deployment/web', 'spec')),
  },
  {
    title: 'GPUs of several entries are added up, and those of another vendor are left out',
    services:
      'web: {image: nginx, gpus: [{device_ids: ["0"]}, {count: 2}, {driver: amd}, {driver: cdi}], deploy: {resources: {reservations: {devices: [{capabilities: [gpu], count: 1}]}}}}',
    warnings: ['DT1102', 'DT1102', 'DT1102'],
    check: (made) => assert.match(manifestsOf(made), 'nvidia.com/gpu: "4"'),
  },
  {
    title: '`all` GPUs are requested as one, and 0 as none',
    services: 'web: {image: nginx, gpus: [{count: -1}]}\n  api: {image: nginx, gpus: [{count: 0}]}',
    warnings: ['DT1110'],
    check: (made) => {
      assert.match(manifestsOf(made), 'nvidia.com/gpu: "1"')
      assert.is(at(made, 'Deployment/api', ...container, 'resources'), undefined)
    },
  },
  {
    title: 'a memory file system of half the memory has no limit',
    services: 'web: {image: nginx, tmpfs: ["/a:size=50%", "/b:noexec,size=1m"]}',
    warnings: ['DT1102', 'DT1102'],
    check: (made) => {
      assert.equal(at(made, 'Deployment/web', ...pod, 'volumes', 0, 'emptyDir'), { medium: 'Memory' })
      assert.equal(at(made, 'Deployment/web', ...pod, 'volumes', 1, 'emptyDir'), { medium: 'Memory', sizeLimit: '1Mi' })
    },
  },
  {
    title: 'a quota of -1 is no limit, and a fraction of a process has no effect either',
    services: 'web: {image: nginx, cpu_quota: -1, pids_limit: 0.5, umask: "0022"}',
    warnings: ['DT1102', 'DT1102'],
    check: (made) => assert.is(at(made, 'Deployment/web', ...container, 'resources'), undefined),
  },
  {
    title: 'jobs are not deployed, and an include without a path includes nothing',
    services: 'web: {image: nginx}',
    top: 'jobs: {nightly: {image: busybox, triggers: {schedule: ["0 3 * * *"]}}}',
    warnings: ['DT1102'],
    check: (made) => assert.is(objectsOf(made).length, 2),
  },
]

for (const [title, run] of accepting(cases)) test(title, run)

/** `24` in the notations of YAML 1.1 and 1.2. */
const notations = ['24', '+24', '24.0', '0x18', '0X18', '0o30', '030', '0b11000', '0b1_1000', '2_4']
const amounts: Readonly<Record<string, string>> = {
  scale: 'replicas: 24\n',
  cpus: 'cpu: "24"\n',
  mem_limit: 'memory: "24"\n',
  shm_size: 'sizeLimit: "24"\n',
}

test('a number may have any notation of YAML; in quotes and from a variable it is decimal', () => {
  const printed = (field: string, value: string): string =>
    manifestsOf(
      translateFiles({ 'compose.yaml': `services: {web: {image: nginx, ${field}: ${value}}}\n`, '.env': 'N=024\n' }),
    )
  for (const [field, shown] of Object.entries(amounts)) {
    for (const value of [...notations, '"024"', '$N']) assert.match(printed(field, value), shown, `${field}: ${value}`)
  }
})

test.run()
