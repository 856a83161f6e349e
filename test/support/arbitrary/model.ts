/**
 * Models as the reader builds them: references are resolved, targets and ports are unique, dependencies have no cycle.
 */
import * as fc from 'fast-check'
import type { Annotation } from '../../../src/domain/compose/annotation.ts'
import type {
  ComposeService,
  Endpoint,
  Healthcheck,
  Model,
  Placement,
  Port,
  Security,
  ServiceDependency,
  ServiceVariable,
  UpdateConfig,
  WorkloadKind,
  Written,
} from '../../../src/domain/compose/model.ts'
import type { Mount, StoredFile, Volume } from '../../../src/domain/compose/volume-model.ts'
import { dnsLabel } from '../../../src/domain/text/dns-name.ts'
import type { Span } from '../../../src/domain/text/source.ts'
import type { DeployTarget } from '../../../src/domain/translate/target.ts'
import { line, serviceWith } from '../compose/model.ts'

const at: fc.Arbitrary<Span> = fc.integer({ min: 1, max: 400 }).map(line)
const written = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<Written<A>> =>
  fc.record({ value, at, path: fc.constant('services.x') })
/** Optional members, each sometimes absent. */
const partial = <A extends object>(members: { readonly [K in keyof A]-?: fc.Arbitrary<A[K]> }) =>
  fc.record<A>(members, { requiredKeys: [] })

const SERVICES = ['web', 'api', 'my_db', '10', '2', '__proto__', 'Cache', 'x'.repeat(60), 'init-data', 'pre-start-1']
const VOLUMES = ['data', 'a_b', 'logs', 'config-app', 'var-lib', 'outside.claim']
const FILES = ['app', 'nginx.conf', '..odd', 'key file', 'b']
const TARGETS = ['/', '/data', '/var/lib', '/var-lib', '/var_lib', '/etc/app/a.conf', '/etc/app/b.conf', '/tmp', '/x/1']

const envVar: fc.Arbitrary<ServiceVariable> = fc.record({
  name: fc.constantFrom('A', 'B', 'PATH', 'x.y-z', '__proto__', '10'),
  value: fc.oneof(fc.string(), fc.stringMatching(/^[$()A]{0,8}$/)),
  at,
  path: fc.constant('env'),
})
const annotation: fc.Arbitrary<Annotation> = fc.record({
  name: fc.constantFrom('10', '2', 'a.b/c', '__proto__', 'note'),
  value: fc.string(),
  at,
})
const annotations = fc.uniqueArray(annotation, { maxLength: 3, selector: ({ name }) => name })

const port: fc.Arbitrary<Port> = fc
  .record({
    target: fc.constantFrom(80, 443, 5432, 8080),
    protocol: fc.constantFrom('TCP' as const, 'UDP' as const),
    published: fc.constant([]),
    isPublic: fc.boolean(),
    at,
  })
  .chain((base) =>
    partial<Pick<Port, 'published' | 'hostPort' | 'name' | 'appProtocol'>>({
      published: fc.uniqueArray(fc.constantFrom(80, 8080, 9000), { maxLength: 2 }),
      hostPort: fc.constant(base.target),
      name: fc.constantFrom('http', 'A name', 'p-80-tcp', 'web'),
      appProtocol: fc.constantFrom('http', 'kubernetes.io/h2c'),
    }).map((more) => ({ ...base, ...more })),
  )

const kind: fc.Arbitrary<WorkloadKind> = fc.oneof(
  fc.record({ _tag: fc.constantFrom('Deployment' as const, 'StatefulSet' as const), at }),
  fc.record({ _tag: fc.constant('DaemonSet' as const), at }),
  fc
    .tuple(fc.constantFrom('Never' as const, 'OnFailure' as const), fc.option(fc.nat(5), { nil: undefined }), at)
    .map(([restart, attempts, place]): WorkloadKind => {
      const base = { _tag: 'Job', restart, at: place } as const
      return attempts === undefined ? base : { ...base, attempts }
    }),
)

const mountPlace = fc.record({
  target: fc.constantFrom(...TARGETS),
  readOnly: fc.boolean(),
  at,
  path: fc.constant('mount'),
})
const mode = fc.constantFrom(0o400, 0o444, 0o755)
const mount: fc.Arbitrary<Mount> = mountPlace.chain((base) =>
  fc.oneof(
    fc.constantFrom(...VOLUMES).map((volume): Mount => ({ ...base, _tag: 'Named', volume })),
    fc.constantFrom(...VOLUMES).map((volume): Mount => ({ ...base, _tag: 'Named', volume, subPath: 'in/side' })),
    fc.constant<Mount>({ ...base, _tag: 'Anonymous' }),
    fc.constant<Mount>({ ...base, _tag: 'Memory', size: '64Mi' }),
    fc.constantFrom('busybox', 'nginx:1').map((image): Mount => ({ ...base, _tag: 'Image', image })),
    fc.constantFrom(...FILES).map((config): Mount => ({ ...base, _tag: 'Config', config })),
    fc
      .tuple(fc.constantFrom(...FILES), mode)
      .map(([secret, m]): Mount => ({ ...base, _tag: 'Secret', secret, mode: m })),
  ),
)

const healthcheck: fc.Arbitrary<Healthcheck> = fc.record({
  at,
  check: fc.oneof(
    fc.record({ _tag: fc.constant('Exec' as const), command: fc.constant(['sh', '-c', 'echo $$ $(X)']) }),
    fc.record({ _tag: fc.constant('Http' as const), path: fc.constant('/up'), port: fc.constant(80) }),
  ),
  readiness: fc.constant(true),
  liveness: fc.boolean(),
  periodSeconds: fc.integer({ min: 1, max: 60 }),
  timeoutSeconds: fc.integer({ min: 1, max: 60 }),
  failureThreshold: fc.integer({ min: 1, max: 5 }),
})

const security: fc.Arbitrary<Security> = partial<Omit<Security, 'sysctls'>>({
  runAsUser: written(fc.constantFrom(0, 1000)),
  runAsGroup: written(fc.constantFrom(0, 2000)),
  supplementalGroups: written(fc.constantFrom<ReadonlyArray<number>>([], [7, 8])),
  capAdd: written(fc.constantFrom<ReadonlyArray<string>>([], ['NET_ADMIN'], ['SYS_ADMIN'])),
  capDrop: written(fc.constantFrom<ReadonlyArray<string>>([], ['ALL'])),
  privileged: written(fc.boolean()),
  readOnlyRootFilesystem: written(fc.boolean()),
  allowPrivilegeEscalation: written(fc.constant(false)),
  seccompUnconfined: written(fc.constant(true as const)),
  appArmor: written(fc.constantFrom({ type: 'Unconfined' as const }, { type: 'Localhost' as const, profile: 'p' })),
  seLinux: written(fc.constant({ level: 's0' })),
}).map((rest) => ({ ...rest, sysctls: [] }))

const placement: fc.Arbitrary<Placement> = fc.record(
  {
    nodeSelector: fc.oneof(
      { weight: 6, arbitrary: fc.constant<ReadonlyArray<Annotation>>([]) },
      { weight: 1, arbitrary: at.map((a) => [{ name: 'disk', value: 'ssd', at: a }]) },
    ),
    expressions: fc.array(
      at.map((a) => ({ key: 'zone', operator: 'In' as const, values: ['a', 'b'], at: a })),
      { maxLength: 1 },
    ),
    spread: fc.array(written(fc.constant('topology.kubernetes.io/zone')), { maxLength: 1 }),
    onePerNode: written(fc.constant(true as const)),
  },
  { requiredKeys: ['nodeSelector', 'expressions', 'spread'] },
)

const updateConfig: fc.Arbitrary<UpdateConfig> = partial<UpdateConfig>({
  at,
  order: fc.constantFrom('start-first' as const, 'stop-first' as const),
  parallelism: fc.nat(3),
  minReadySeconds: fc.nat(9),
})

const words = fc.array(fc.oneof(fc.string(), fc.constantFrom('$(A)', '$$', '$$(B)')), { maxLength: 3 })

/** Without dependencies, which are added once all names are known. */
const service = (name: string, replicas: fc.Arbitrary<number>): fc.Arbitrary<ComposeService> =>
  fc
    .tuple(
      fc.record({
        environment: fc.uniqueArray(envVar, { maxLength: 3, selector: (v) => v.name }),
        kind,
        ports: fc.uniqueArray(port, { maxLength: 4, selector: (p) => `${p.target}/${p.protocol}` }),
        annotations,
        workloadAnnotations: annotations,
        updateConfig,
        mounts: fc.uniqueArray(mount, { maxLength: 5, selector: (m) => m.target }),
        placement,
        security,
      }),
      partial<
        Pick<ComposeService, 'replicas' | 'command' | 'entrypoint' | 'healthcheck' | 'headless' | 'graceSeconds'>
      >({
        replicas: written(replicas),
        command: written(words),
        entrypoint: written(words),
        healthcheck,
        headless: written(fc.constant(true as const)),
        graceSeconds: written(fc.nat(60)),
      }),
      fc.array(
        fc
          .tuple(written(fc.constantFrom('alias', 'web', 'other')), fc.subarray(['default', 'back']))
          .map(([alias, networks]) => ({ ...alias, networks })),
        { maxLength: 2 },
      ),
      fc.array(written(fc.constant<ReadonlyArray<string>>(['echo', '$$'])), { maxLength: 2 }),
      fc.boolean(),
      at,
    )
    .map(([base, more, aliases, preStart, hasHostNetwork, place]) =>
      serviceWith(name, {
        ...base,
        ...more,
        at: place,
        network: {
          hostAliases: [],
          aliases,
          ...(hasHostNetwork ? { hostNetwork: { value: true, at: place, path: 'network_mode' } } : {}),
        },
        hooks: {},
        preStart: preStart.map((command) => ({ command, at: place, environment: [], security: {} })),
      }),
    )

const CONDITIONS: ReadonlyArray<ServiceDependency['condition']> = [
  'service_started',
  'service_healthy',
  'service_completed_successfully',
]

/** Each service depends on some of those before it in a fixed order, which is not the order of the file. */
const withDependencies = (services: ReadonlyArray<ComposeService>): fc.Arbitrary<ReadonlyArray<ComposeService>> =>
  fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.constantFrom(...CONDITIONS), at), { maxLength: 8 }).map((pairs) => {
    const dependsOn = new Map<number, Array<ServiceDependency>>()
    for (const [a, b, condition, place] of pairs) {
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      const dependency = services[low]
      const list = dependsOn.get(high) ?? []
      if (low === high || dependency === undefined || list.some((d) => d.service === dependency.name)) continue
      dependsOn.set(high, [...list, { service: dependency.name, condition, at: place, path: 'depends_on' }])
    }
    return services.map((s, index) => ({ ...s, dependsOn: dependsOn.get(index) ?? [] }))
  })

const volume = (name: string): fc.Arbitrary<Volume> =>
  fc.record({
    name: fc.constant(name),
    object: fc.constant(name === 'outside.claim' ? name : dnsLabel(name)),
    isExternal: fc.constant(name === 'outside.claim'),
    size: fc.constantFrom('1Gi', '500Mi'),
    annotations,
    init: fc.boolean(),
    at,
    path: fc.constant(`volumes.${name}`),
  })

const storedFile = (name: string): fc.Arbitrary<StoredFile> =>
  fc.record({ name: fc.constant(name), object: fc.constant(dnsLabel(name)), annotations, at }).chain((base) =>
    fc.oneof(
      fc.string().map((text): StoredFile => ({ ...base, content: { _tag: 'Text', text } })),
      fc.constant<StoredFile>({ ...base, content: { _tag: 'Bytes', base64: 'AAEC' } }),
      fc.constant<StoredFile>(base),
    ),
  )

const endpointsOf = (services: ReadonlyArray<ComposeService>): fc.Arbitrary<ReadonlyArray<Endpoint>> => {
  const open = services.flatMap(({ name, ports }) =>
    ports.filter(({ protocol }) => protocol === 'TCP').map(({ target }) => ({ service: name, port: target })),
  )
  if (open.length === 0) return fc.constant([])
  const rule = fc.tuple(fc.constantFrom('/', '/api', '/api/', '/b'), fc.constantFrom(...open), at)
  const endpoint = fc.record({
    key: fc.constantFrom('shop', 'web', 'My_End'),
    annotations,
    rules: fc.array(
      rule.map(([path, to, place]) => ({ path, ...to, at: place })),
      { minLength: 1, maxLength: 3 },
    ),
    at,
  })
  return fc
    .uniqueArray(endpoint, { maxLength: 2, selector: ({ key }) => key })
    .map((list) => list.map((e) => ({ ...e, object: dnsLabel(e.key) })))
}

export const arbitraryModel: fc.Arbitrary<Model> = fc
  .uniqueArray(fc.constantFrom(...SERVICES), { minLength: 1, maxLength: 5 })
  .chain((names) => fc.tuple(...names.map((name) => service(name, fc.nat(3)))))
  .chain(withDependencies)
  .chain((services) =>
    fc.record({
      environment: fc.constant('shop'),
      services: fc.shuffledSubarray([...services], { minLength: services.length }),
      volumes: fc.tuple(...VOLUMES.map(volume)),
      configs: fc.tuple(...FILES.map(storedFile)),
      secrets: fc.tuple(...FILES.map(storedFile)),
      endpoints: endpointsOf(services),
      switchedOff: fc.constant([]),
      declared: fc.constant([]),
      images: fc.constant([]),
    }),
  )

export const arbitraryTarget: fc.Arbitrary<DeployTarget> = partial<
  Omit<DeployTarget, 'environment' | 'volumeAffinity' | 'withOrigins'>
>({
  namespace: fc.constantFrom('dev', 'n'.repeat(40)),
  domain: fc.constant('example.com'),
  ingressClass: fc.constant('nginx'),
  tlsSecret: fc.constant('tls'),
}).chain((rest) => fc.boolean().map((volumeAffinity) => ({ ...rest, environment: 'shop', volumeAffinity })))
