/** Compose services as data: valid, rich in fields, in short and long notation. */
import * as fc from 'fast-check'
import type { Value } from '../../../src/domain/print/value.ts'
import type { Mapping } from './notation.ts'
import {
  build,
  deploy,
  device,
  duration,
  healthcheck,
  hook,
  IMAGES,
  ports,
  references,
  step,
  volumes,
  words,
} from './parts.ts'
import { among, fields, labels, one, pairsOf, scalar, type ValueArbitrary, variable } from './values.ts'

const amounts = { cpu: among<Value>('250m', 1, '0.5'), memory: among('64Mi', '100M', '1Gi') }

/** No two of these contradict each other. */
const plain: Readonly<Record<string, ValueArbitrary>> = {
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
  label_file: among<Value>('a.labels', ['a.labels', 'b.labels']),
  annotations: labels,
  deploy,
  restart: among<Value>('always', 'unless-stopped', 'no', 'on-failure', 'on-failure:3', 'never', false),
  stop_grace_period: fc.oneof<Array<ValueArbitrary>>(duration, among<Value>(7, '15')),
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
  gpus: fc.oneof<Array<ValueArbitrary>>(one('all'), fc.tuple(device)),
  platform: among('linux/amd64', 'linux/arm64/v8'),
  pull_policy: among('always', 'missing', 'never', 'build'),
  stdin_open: fc.boolean(),
  tty: fc.boolean(),
  logging: one(new Map([['driver', 'json-file']])),
  configs: references('/etc'),
  secrets: references('/run/x'),
  pre_start: fc.tuple(step),
  post_start: fc.tuple(hook),
  pre_stop: fc.tuple(hook, hook),
  'x-note': fc.oneof(scalar, labels),
  'x-node-selector': pairsOf(among('disk', 'zone', 'example.com/gpu'), among('ssd', 'a', '')),
}

/** Limits are given in one notation only, so that they cannot contradict each other. */
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
