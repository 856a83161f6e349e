/** Compose services as data: valid, rich in fields, in short and long notation. */
import * as fc from 'fast-check'
import type { Value } from '../../src/domain/print/value.ts'
import type { Mapping } from './notation.ts'

export type Some = fc.Arbitrary<Value>

const one = fc.constant
const among = <A extends Value>(...values: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...values)

/** A mapping of fields; each is there once in `rarity` times, in the order given. */
export const fields = (members: Readonly<Record<string, Some>>, rarity = 2): fc.Arbitrary<Mapping> =>
  fc
    .tuple(
      ...Object.entries(members).map(([key, value]) =>
        fc.oneof(
          { weight: rarity - 1, arbitrary: one<ReadonlyArray<readonly [string, Value]>>([]) },
          { weight: 1, arbitrary: value.map((v) => [[key, v] as const]) },
        ),
      ),
    )
    .map((entries) => new Map(entries.flat()))

const some = <A>(arbitrary: fc.Arbitrary<A>, maxLength = 3): fc.Arbitrary<Array<A>> =>
  fc.array(arbitrary, { maxLength })
const distinct = <A>(arbitrary: fc.Arbitrary<A>, selector: (item: A) => unknown, maxLength = 4) =>
  fc.uniqueArray(arbitrary, { maxLength, selector })

/** Text that YAML, shells, variables and Kubernetes read in their own ways; `$` is always escaped. */
export const nasty = fc.oneof(
  among(
    '',
    'yes',
    'No',
    '0o17',
    '1_000',
    '1e3',
    '~',
    'null',
    '<<',
    '12:30:45',
    '2024-01-01',
    '0x1f',
    '!tag',
    '&a',
    '*a',
  ),
  among(
    'a: b',
    'a #b',
    '- a',
    '[',
    '{}',
    '|',
    '>-',
    "it's",
    '"',
    '\\n',
    '%TAG',
    '@',
    '`',
    'a\nb\n',
    '\ta',
    ' a ',
    'é😀\u2028',
  ),
  among(
    '$$',
    '$$(HOME)',
    '$$HOME',
    '${UNSET:-default}',
    '${SET}',
    '${UNSET:+x}${SET:?no}',
    '__proto__',
    'http://api:8080/',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 12 }).map((text) => text.replaceAll('$', '$$$$')),
  fc
    .string({ unit: 'grapheme', maxLength: 6 })
    .map((text) => text.replaceAll('$', '$$$$').replaceAll(/[\ud800-\udfff\0-\x08\x0b-\x1f]/g, '')),
)
const scalar: Some = fc.oneof(nasty, fc.integer({ min: -9, max: 99_999 }), fc.boolean(), fc.constant(null))

const mapOf = (keys: fc.Arbitrary<string>, values: Some): fc.Arbitrary<Mapping> =>
  distinct(fc.tuple(keys, values), ([key]) => key).map((entries) => new Map(entries))
/** The same as `NAME=value`. */
const asPairs = (mapping: Mapping): Value =>
  [...mapping].map(([key, value]) => (value === null || typeof value === 'object' ? key : `${key}=${value}`))
const pairsOf = (keys: fc.Arbitrary<string>, values: Some): Some =>
  fc.tuple(mapOf(keys, values), fc.boolean()).map(([mapping, isList]) => (isList ? asPairs(mapping) : mapping))

const variable = among('A', 'B', 'PATH', 'x.y-z', '__proto__', '_10', 'DB_PASSWORD', 'URL', 'LONG_NAME_OF_A_VARIABLE')
const labelKey = among(
  '10',
  '2',
  'a.b/c',
  '__proto__',
  'note',
  'com.example.Team',
  'bad key',
  '/x',
  'traefik.http.routers.a(b)',
)
const labels = pairsOf(labelKey, nasty)

export const IMAGES = [
  'nginx',
  'nginx:1.27-alpine',
  'registry.example.com:5000/team/app:v1',
  `busybox@sha256:${'0af'.repeat(21)}1`,
]
const duration = among('500ms', '1s', '1m30s', '90s', '2h', '0s', '1.5s')
const words: Some = fc.oneof(
  among('sleep 1d', 'sh -c "echo $$A"', "a 'b c' d\\ e", 'npm start', 'echo a; echo b'),
  some(fc.oneof(nasty, fc.nat(99)), 4),
)

const device = fields(
  { capabilities: one(['gpu']), driver: among('nvidia', 'amd'), count: among<Value>(1, 'all', '2') },
  1,
)

const build: Some = fc.oneof(
  among('.', './app'),
  fields({
    context: among('.', './app'),
    dockerfile: one('Dockerfile.dev'),
    target: one('final'),
    args: pairsOf(variable, nasty),
    cache_from: among<Value>('a/b', ['a/b', 'c']),
    labels,
    platforms: one(['linux/amd64']),
    shm_size: one('64m'),
  }),
)

const PORTS = [80, 443, 3000, 5432, 6379, 8080, 9229, 27_017, 65_535]
/** Distinct container ports; what is published is distinct too. */
const ports: Some = distinct(fc.constantFrom(...PORTS), (n) => n, 5).chain((targets) =>
  fc.tuple(
    ...targets.map((n) => {
      const published = n > 40_000 ? n : n + 10_000
      return fc.oneof<Array<Some>>(
        among<Value>(n, String(n), `${n}/tcp`, `${n}/udp`),
        among(
          `${n}:${n}`,
          `${published}:${n}`,
          `127.0.0.1:${published}:${n}`,
          `${published}:${n}/udp`,
          `0.0.0.0::${n}`,
        ),
        fields({
          target: one(n),
          published: among<Value>(published, String(published)),
          protocol: among('tcp', 'udp', 'sctp'),
          host_ip: among('127.0.0.1', '0.0.0.0', '192.0.2.1'),
          mode: among('host', 'ingress'),
          name: among('http', 'A name', `p-${n}-tcp`, 'web', 'a-very-long-name-of-a-port'),
          app_protocol: among('http', 'kubernetes.io/h2c'),
        }).map((long) => new Map([...long, ['target', n]])),
      )
    }),
  ),
)

const healthcheck: Some = fc
  .tuple(
    fc.oneof(
      among<Value>('curl -f http://localhost', 'NONE', ['CMD', 'true'], ['CMD-SHELL', 'exit 0 # $$A'], ['NONE']).map(
        (v) => ['test', v] as const,
      ),
      one([
        'http',
        new Map<string, Value>([
          ['path', '/up'],
          ['port', 80],
        ]),
      ] as const),
    ),
    fields({
      interval: duration,
      timeout: duration,
      start_period: duration,
      start_interval: duration,
      retries: among<Value>(0, 1, '5'),
      disable: fc.boolean(),
      'x-devtool-readiness': fc.boolean(),
      'x-devtool-liveness': fc.boolean(),
    }),
  )
  .map(([check, rest]) => new Map<string, Value>([check, ...rest]))

const deploy: Some = fields(
  {
    mode: among('replicated', 'global', 'replicated-job'),
    replicas: fc.nat(3),
    labels,
    endpoint_mode: among('vip', 'dnsrr'),
    restart_policy: fields({
      condition: among('any', 'none', 'on-failure'),
      max_attempts: fc.nat(5),
      delay: duration,
      window: duration,
    }),
    update_config: fields({
      order: among('start-first', 'stop-first'),
      parallelism: fc.nat(3),
      delay: among('5s', '0s'),
      failure_action: one('rollback'),
    }),
    rollback_config: one(new Map([['parallelism', 1]])),
    placement: fields({
      constraints: fc.subarray([
        'node.labels.disk == ssd',
        'node.labels.zone != a',
        'node.role == worker',
        'node.hostname==n1',
      ]),
      preferences: one([new Map([['spread', 'topology.kubernetes.io/zone']])]),
      max_replicas_per_node: among(1, 2),
    }),
  },
  3,
)

const TARGETS = ['/data', '/var/lib', '/var-lib', '/var_lib/', '/srv/./x', '/etc/app.conf', '/a b', '/x/1', '/x/1/y']
export const VOLUMES = ['data', 'a_b', 'logs', 'claim', '10']
/** Mounts of all kinds, no two at one target. */
const volumes: Some = distinct(fc.constantFrom(...TARGETS), (t) => t, 4).chain((targets) =>
  fc.tuple(
    ...targets.map((target) =>
      fc.oneof<Array<Some>>(
        fc.constantFrom(...VOLUMES).map((name) => `${name}:${target}`),
        among(`data:${target}:ro`, `./src:${target}`, `~/x:${target}:ro`, `/etc/hosts:${target}`, target),
        fields({
          read_only: fc.boolean(),
          volume: fields({ nocopy: fc.boolean(), subpath: among('in/side', 'x') }),
          consistency: one('cached'),
        }).map((long) => new Map<string, Value>([['type', 'volume'], ['source', 'logs'], ['target', target], ...long])),
        fields({ tmpfs: fields({ size: among<Value>('64m', 1_048_576), mode: one('1777') }) }).map(
          (long) => new Map<string, Value>([['type', 'tmpfs'], ['target', target], ...long]),
        ),
        one(
          new Map([
            ['type', 'bind'],
            ['source', '.'],
            ['target', target],
          ]),
        ),
        one(
          new Map([
            ['type', 'image'],
            ['source', 'busybox'],
            ['target', target],
          ]),
        ),
      ),
    ),
  ),
)

export const FILES = ['app', 'nginx.conf', 'key_file', 'inline', 'outside', 'bytes']
const references = (folder: string): Some =>
  fc.subarray(FILES, { maxLength: 3 }).chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.oneof<Array<Some>>(
          one(name),
          fields({
            target: among(`${folder}/${name}.x`, `${name}-y`),
            mode: among<Value>('0440', '0400'),
            uid: one('103'),
          }).map((long) => new Map<string, Value>([['source', name], ...long])),
        ),
      ),
    ),
  )

const hook = fields({ user: one('root'), environment: labels }).map(
  (rest) => new Map<string, Value>([['command', ['sh', '-c', 'true $$$$']], ...rest]),
)
const amounts = { cpu: among<Value>('250m', 1, '0.5'), memory: among('64Mi', '100M', '1Gi') }

/** Each of these says nothing that another one contradicts. */
const plain: Readonly<Record<string, Some>> = {
  command: words,
  entrypoint: words,
  environment: pairsOf(variable, scalar),
  env_file: among<Value>(
    'a.env',
    ['a.env', 'b.env'],
    [
      new Map<string, Value>([
        ['path', 'none.env'],
        ['required', false],
      ]),
    ],
    [
      new Map([
        ['path', 'raw.env'],
        ['format', 'raw'],
      ]),
    ],
  ),
  ports,
  expose: fc.subarray<Value>([81, '82', '83-85', '86/udp']),
  healthcheck,
  labels,
  annotations: labels,
  deploy,
  restart: among<Value>('always', 'unless-stopped', 'no', 'on-failure', 'on-failure:3', 'never', false),
  stop_grace_period: fc.oneof<Array<Some>>(duration, among<Value>(7, '15')),
  stop_signal: among('SIGTERM', 'SIGINT'),
  volumes,
  tmpfs: among<Value>('/run', ['/run:size=64m,mode=1777', '/scratch']),
  shm_size: among<Value>('64m', '1gb', 67_108_864),
  working_dir: one('/app'),
  user: among('1000', '1000:1000', 'app', '0:0'),
  group_add: fc.subarray<Value>(['100', 200, 'mail']),
  cap_add: fc.subarray(['NET_ADMIN', 'SYS_ADMIN', 'CAP_CHOWN', 'all']),
  cap_drop: fc.subarray(['ALL', 'net_raw']),
  privileged: fc.boolean(),
  read_only: fc.boolean(),
  security_opt: fc.subarray([
    'no-new-privileges:true',
    'seccomp:unconfined',
    'apparmor=unconfined',
    'label=level:s0',
    'systempaths=unconfined',
  ]),
  sysctls: pairsOf(among('net.ipv4.tcp_syncookies', 'net.core.somaxconn'), fc.nat(9)),
  init: fc.boolean(),
  hostname: among('web-1', 'My_Host'),
  domainname: among('corp', 'example.com'),
  container_name: among('front-1', 'Front_2'),
  extra_hosts: among<Value>(
    ['a.example=192.0.2.1', 'gw=host-gateway', 'b:2001:db8::1'],
    new Map<string, Value>([
      ['a', '192.0.2.1'],
      ['b', ['192.0.2.1', '192.0.2.2']],
    ]),
  ),
  dns: among<Value>('1.1.1.1', ['1.1.1.1', '8.8.8.8', '9.9.9.9', '4.4.4.4']),
  dns_search: among<Value>('example.com', ['example.com', 'corp']),
  dns_opt: one(['ndots:2', 'rotate']),
  network_mode: among('bridge', 'host', 'none'),
  pid: among('host', 'private'),
  ipc: among('host', 'shareable'),
  ulimits: one(new Map([['nofile', 1024]])),
  cpu_shares: one(512),
  gpus: fc.oneof<Array<Some>>(one('all'), fc.tuple(device)),
  platform: among('linux/amd64', 'linux/arm64/v8'),
  pull_policy: among('always', 'missing', 'never', 'build'),
  stdin_open: fc.boolean(),
  tty: fc.boolean(),
  logging: one(new Map([['driver', 'json-file']])),
  configs: references('/etc'),
  secrets: references('/run/x'),
  pre_start: fc.tuple(hook),
  post_start: fc.tuple(hook),
  pre_stop: fc.tuple(hook, hook),
  'x-note': fc.oneof(scalar, labels),
  'x-node-selector': among<Value>(new Map([['disk', 'ssd']]), ['zone=a']),
}

/** Limits are given in one of the notations, so that they cannot contradict each other. */
const limits: fc.Arbitrary<Mapping> = fc.oneof(
  { weight: 3, arbitrary: one(new Map()) },
  { weight: 1, arbitrary: fields({ cpus: among<Value>(0.5, '2', '0'), mem_limit: among<Value>('512m', '1g', 1e9) }) },
  {
    weight: 1,
    arbitrary: fields({
      cpu_quota: among<Value>(50_000, '50000'),
      cpu_period: one(100_000),
      mem_reservation: one('64mb'),
    }),
  },
  {
    weight: 1,
    arbitrary: fields({ requests: fields(amounts) }).map((resources) => new Map([['resources', resources]])),
  },
)

const source: fc.Arbitrary<Mapping> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...IMAGES).map((image) => new Map([['image', image]])) },
  { weight: 1, arbitrary: build.map((made) => new Map([['build', made]])) },
  {
    weight: 1,
    arbitrary: build.map(
      (made) =>
        new Map<string, Value>([
          ['image', 'example/own:dev'],
          ['build', made],
        ]),
    ),
  },
)

/** A service without the fields that name other services. */
export const service: fc.Arbitrary<Mapping> = fc
  .tuple(source, fields(plain, 7), limits)
  .map((parts) => new Map(parts.flatMap((part) => [...part])))
