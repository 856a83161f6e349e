/** Fields of a Compose service with a syntax of their own: ports, mounts, builds, health checks. */
import * as fc from 'fast-check'
import type { Value } from '../../../src/domain/print/value.ts'
import { among, distinct, fields, labels, nasty, one, pairsOf, some, type ValueArbitrary, variable } from './values.ts'

export const IMAGES = [
  'nginx',
  'nginx:1.27-alpine',
  'registry.example.com:5000/team/app:v1',
  `busybox@sha256:${'0af'.repeat(21)}1`,
]
export const duration = among('500ms', '1s', '1m30s', '90s', '2h', '0s', '1.5s')
export const words: ValueArbitrary = fc.oneof(
  among('sleep 1d', 'sh -c "echo $$A"', "a 'b c' d\\ e", 'npm start', 'echo a; echo b'),
  some(fc.oneof(nasty, fc.nat(99)), 4),
)

export const device = fields(
  { capabilities: one(['gpu']), driver: among('nvidia', 'amd'), count: among<Value>(1, 'all', '2') },
  1,
)

export const build: ValueArbitrary = fc.oneof(
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
/** Distinct container ports, published under distinct ports. */
export const ports: ValueArbitrary = distinct(fc.constantFrom(...PORTS), (n) => n, 5).chain((targets) =>
  fc.tuple(
    ...targets.map((n) => {
      const published = n > 40_000 ? n : n + 10_000
      return fc.oneof<Array<ValueArbitrary>>(
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

export const healthcheck: ValueArbitrary = fc
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

export const deploy: ValueArbitrary = fields(
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
/** Mounts of all kinds with distinct targets. */
export const volumes: ValueArbitrary = distinct(fc.constantFrom(...TARGETS), (t) => t, 4).chain((targets) =>
  fc.tuple(
    ...targets.map((target) =>
      fc.oneof<Array<ValueArbitrary>>(
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
export const references = (folder: string): ValueArbitrary =>
  fc.subarray(FILES, { maxLength: 3 }).chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.oneof<Array<ValueArbitrary>>(
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

export const hook = fields({ user: one('root'), environment: labels }).map(
  (rest) => new Map<string, Value>([['command', ['sh', '-c', 'true $$$$']], ...rest]),
)

/** A `pre_start` step, whose variables need names that Kubernetes accepts. */
export const step = hook.map((made) => new Map([...made].filter(([key]) => key !== 'environment')))
