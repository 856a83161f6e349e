/** Every field of a `dev` section has an effect: in the objects that `up` makes, or where it is named here. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { environmentOf, secretsOf } from '../../../src/app/dev/given.ts'
import { planUp } from '../../../src/domain/dev/activate.ts'
import { upKinds } from '../../../src/domain/dev/round.ts'
import { manifestRows } from '../../../src/domain/manifest/field-rows.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { memoryFiles, text } from '../../memory/files.ts'
import { devOf, requestOf } from '../../support/dev/request.ts'
import { inRounds, observedIn } from '../../support/dev/rounds.ts'
import { workload } from '../../support/dev/workloads.ts'

const namespace = 'demo'
const probe = { exec: { command: ['true'] } }
const app = {
  name: 'app',
  image: 'shop/api:1',
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: { postStart: { exec: { command: ['of-start'] } }, preStop: { exec: { command: ['of-stop'] } } },
}
const objects = ['api', 'other'].map((name) => {
  const pod = { containers: [app, { name: 'side', image: 'envoy:1' }] }
  const object = workload('Deployment', { name, pod })
  return { ...object, metadata: { name, namespace, labels: { named: name } } }
})

const files = memoryFiles(
  new Map([
    ['vars.env', text('OF_FILE=from-file\n')],
    ['key', text('k')],
  ]),
)

const rightOf = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

/** All objects of the namespace, as JSON, once `up` has nothing left to do. */
const madeBy = async (section: string): Promise<string> => {
  const dev = devOf({ 'devtool.yml': `dev:\n  ${section}\n` })
  const cluster = memoryCluster({
    objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, ...objects],
  })
  const running = { cluster, namespace, clock: systemClock }
  const environment = rightOf(await environmentOf(files, dev, new Map(), new Map())())
  const secrets = rightOf(await secretsOf(files, dev)())
  const [service] = dev.services
  const request = requestOf(dev, { environment, secrets })
  const main = 'devtool-up-deployment-api'
  const requests =
    service === undefined
      ? [request]
      : [
          request,
          {
            ...request,
            service,
            main,
            environment: rightOf(await environmentOf(files, service, new Map(), new Map())()),
          },
        ]
  for (const one of requests) {
    await inRounds(running, (observed) => {
      const planned = planUp(one, observed)
      if (E.isLeft(planned)) throw new Error(planned.left.map(({ message }) => message).join('\n'))
      return planned.right
    })
  }
  const observed = await observedIn(running)
  return JSON.stringify(upKinds.map((kind) => [...(observed.get(kind)?.values() ?? [])]))
}

/** A section, and what the objects contain only with it. */
type Effect = readonly [section: string, shows: string | RegExp]

const main = (fields: string): string => `api: { ${fields} }`
const image = 'image: "node:22"'

const settings: Readonly<Record<string, Effect>> = {
  image: [main(image), '"image":"node:22"'],
  imagePullPolicy: [main('imagePullPolicy: Never'), '"imagePullPolicy":"Never"'],
  workdir: [main('workdir: /srv'), '"workingDir":"/srv"'],
  environment: [main('environment: { LEVEL: debug }'), '{"name":"LEVEL","value":"debug"}'],
  envFiles: [main('envFiles: vars.env'), '{"name":"OF_FILE","value":"from-file"}'],
  'resources.requests': [main('resources: { requests: { cpu: 123m } }'), '"cpu":"123m"'],
  'resources.limits': [main('resources: { limits: { cpu: 321m } }'), '"cpu":"321m"'],
  nodeSelector: [main('nodeSelector: { disk: ssd }'), '"nodeSelector":{"disk":"ssd"}'],
  affinity: [main('affinity: { nodeAffinity: { marked: [] } }'), '"nodeAffinity":{"marked":[]}'],
  tolerations: [main('tolerations: [{ key: dev, operator: Exists }]'), '"tolerations":[{"key":"dev"'],
  'metadata.labels': [main('metadata: { labels: { team: a } }'), '"team":"a"'],
  'metadata.annotations': [main('metadata: { annotations: { note: kept } }'), '"note":"kept"'],
}

const asService = ([section, shows]: Effect): Effect => [
  section.replace(/^api: \{ (.*) \}$/, 'api: { services: [{ name: other, $1 }] }'),
  shows,
]

const effects: Readonly<Record<string, Effect>> = {
  ...settings,
  name: [main('name: other'), 'devtool-up-deployment-other'],
  selector: [main('selector: { named: other }'), 'devtool-up-deployment-other'],
  container: [main('container: side'), '\\"container\\":\\"side\\"'],
  'sync.folders': [main('sync: { folders: [".:/code"] }'), '"mountPath":"/code"'],
  sync: [main('sync: [".:/code"]'), '"mountPath":"/code"'],
  mode: [main('mode: hybrid'), /^(?!.*persistentVolumeClaim)/],
  autocreate: ['fresh: { autocreate: true, image: "node:22" }', '"name":"fresh"'],
  volumes: [main('volumes: [/cache]'), '"mountPath":"/cache"'],
  externalVolumes: [main('externalVolumes: ["shared:models:/models"]'), '"claimName":"shared"'],
  'persistentVolume.enabled': [main('persistentVolume: { enabled: false }'), /^(?!.*persistentVolumeClaim)/],
  'persistentVolume.size': [main('persistentVolume: { size: 7Gi }'), '"storage":"7Gi"'],
  'persistentVolume.storageClass': [main('persistentVolume: { storageClass: fast }'), '"storageClassName":"fast"'],
  'persistentVolume.accessMode': [main('persistentVolume: { accessMode: ReadWriteMany }'), '"ReadWriteMany"'],
  'persistentVolume.volumeMode': [main('persistentVolume: { volumeMode: Block }'), '"volumeMode":"Block"'],
  'persistentVolume.labels': [main('persistentVolume: { labels: { of: claim } }'), '"of":"claim"'],
  'persistentVolume.annotations': [main('persistentVolume: { annotations: { at: claim } }'), '"at":"claim"'],
  sshServerPort: [main('sshServerPort: 3022'), '"DEVTOOL_AGENT_PORT","value":"3022"'],
  secrets: [main('secrets: ["key:/run/key:400"]'), '"mountPath":"/run/key"'],
  'securityContext.runAsUser': [main('securityContext: { runAsUser: 77 }'), '"runAsUser":77'],
  'securityContext.runAsGroup': [main('securityContext: { runAsGroup: 78 }'), '"runAsGroup":78'],
  'securityContext.fsGroup': [main('securityContext: { fsGroup: 79 }'), '"fsGroup":79'],
  'securityContext.runAsNonRoot': [
    main('securityContext: { runAsNonRoot: true }'),
    /"securityContext":\{"runAsNonRoot":true\}/,
  ],
  'securityContext.allowPrivilegeEscalation': [
    main('securityContext: { allowPrivilegeEscalation: true }'),
    '"allowPrivilegeEscalation":true',
  ],
  'securityContext.readOnlyRootFilesystem': [
    main('securityContext: { readOnlyRootFilesystem: false }'),
    '"readOnlyRootFilesystem":false',
  ],
  'securityContext.capabilities.add': [
    main('securityContext: { capabilities: { add: [SYS_PTRACE] } }'),
    '"SYS_PTRACE"',
  ],
  'securityContext.capabilities.drop': [main('securityContext: { capabilities: { drop: [NET_RAW] } }'), '"NET_RAW"'],
  serviceAccount: [main('serviceAccount: builder'), '"serviceAccountName":"builder"'],
  priorityClassName: [main('priorityClassName: low'), '"priorityClassName":"low"'],
  probes: [main('probes: true'), /"livenessProbe".*"livenessProbe".*"livenessProbe"/],
  'probes.liveness': [main('probes: { liveness: true }'), /"livenessProbe".*"livenessProbe".*"livenessProbe"/],
  'probes.readiness': [main('probes: { readiness: true }'), /"readinessProbe".*"readinessProbe".*"readinessProbe"/],
  'probes.startup': [main('probes: { startup: true }'), /"startupProbe".*"startupProbe".*"startupProbe"/],
  lifecycle: [main('lifecycle: true'), /of-start.*of-start.*of-start/],
  'lifecycle.postStart.enabled': [main('lifecycle: { postStart: { enabled: true } }'), /of-start.*of-start.*of-start/],
  'lifecycle.postStart.command': [main('lifecycle: { postStart: { command: [begin] } }'), '"command":["begin"]'],
  'lifecycle.preStop.enabled': [main('lifecycle: { preStop: { enabled: true } }'), /of-stop.*of-stop.*of-stop/],
  'lifecycle.preStop.command': [main('lifecycle: { preStop: { command: [finish] } }'), '"command":["finish"]'],
  'initContainer.image': [main('initContainer: { image: "node:20" }'), '"image":"node:20"'],
  'initContainer.resources.requests': [main('initContainer: { resources: { requests: { cpu: 7m } } }'), '"cpu":"7m"'],
  'initContainer.resources.limits': [main('initContainer: { resources: { limits: { cpu: 8m } } }'), '"cpu":"8m"'],
  ...Object.fromEntries(Object.entries(settings).map(([name, effect]) => [`services[].${name}`, asService(effect)])),
  'services[].name': [main('services: [{ name: other }]'), 'devtool-up-deployment-other'],
  'services[].selector': [main('services: [{ selector: { named: other } }]'), 'devtool-up-deployment-other'],
  'services[].container': [main('services: [{ name: other, container: side }]'), '\\"container\\":\\"side\\"'],
  'services[].command': [main('services: [{ name: other, command: [work] }]'), '"command":["work"]'],
  'services[].args': [main('services: [{ name: other, args: [hard] }]'), '"args":["hard"]'],
  'services[].replicas': [main('services: [{ name: other, replicas: 3 }]'), '"replicas":3'],
  'services[].sync': [
    main('sync: [".:/code"], services: [{ name: other, sync: ["jobs:/jobs"] }]'),
    '"mountPath":"/jobs"',
  ],
  'services[].sync.folders': [
    main('sync: [".:/code"], services: [{ name: other, sync: { folders: ["jobs:/jobs"] } }]'),
    '"mountPath":"/jobs"',
  ],
}

/** What is not in objects: by the test that shows it. */
const elsewhere: Readonly<Record<string, string>> = {
  command: 'test/e2e/dev-up.test.ts',
  args: 'test/e2e/dev-up.test.ts',
  forward: 'test/cli/dev-forwards.test.ts',
  'forward[].localPort': 'test/cli/dev-forwards.test.ts',
  'forward[].remotePort': 'test/cli/dev-forwards.test.ts',
  'forward[].name': 'test/cli/dev-forwards.test.ts',
  'forward[].labels': 'test/cli/dev-forwards.test.ts',
  reverse: 'test/cli/dev-forwards.test.ts',
  interface: 'test/cli/dev-forwards.test.ts',
  remote: 'test/e2e/dev-up.test.ts',
  timeout: 'test/e2e/dev-up.test.ts',
  'timeout.resources': 'test/e2e/dev-up.test.ts',
}

const rows = manifestRows().flatMap(({ effect, path }) =>
  path.startsWith('dev.*.') && effect._tag === 'maps' ? [path.slice('dev.*.'.length)] : [],
)
const isGroup = (path: string): boolean =>
  rows.some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[]`))

test('every field of a section has a case', () => {
  const known = [...Object.keys(effects), ...Object.keys(elsewhere)]
  assert.equal(
    rows.filter((path) => !known.includes(path) && !isGroup(path)),
    [],
  )
  assert.equal(
    known.filter((path) => !rows.includes(path)),
    [],
  )
})

const shows = (made: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? made.includes(wanted) : wanted.test(made)

for (const [field, [section, wanted]] of Object.entries(effects)) {
  test(`${field} changes what up makes`, async () => {
    const without = await madeBy('api: {}')
    assert.not(shows(without, wanted), 'it is there without the field')
    const made = await madeBy(section)
    assert.ok(shows(made, wanted), made.slice(-4000))
  })
}

test.run()
