/**
 * Compose projects: valid documents as data, with the files that they name. Fields of different services that must
 * agree are corrected afterwards, so that every project translates without an error.
 */
import * as fc from 'fast-check'
import type { Value } from '../../../src/domain/print/value.ts'
import type { Files } from '../compose/project.ts'
import { isMapping, type Mapping, manyFiles, oneFile } from './notation.ts'
import { FILES, VOLUMES } from './parts.ts'
import { service } from './service.ts'
import { fields } from './values.ts'

export type Project = { readonly document: Mapping; readonly files: Files }

const NAMES = ['web', 'api', 'my_db', '10', '2', '__proto__', 'Cache', 'x'.repeat(60), 'init-data', 'a.b']

const map = (entries: ReadonlyArray<readonly [string, Value]>): Mapping => new Map(entries)

/** Named by services, so always defined. */
const resources: ReadonlyArray<readonly [string, Value]> = [
  [
    'volumes',
    map(
      VOLUMES.map((name) => [
        name,
        name === 'claim'
          ? map([
              ['external', true],
              ['name', 'outside.claim'],
            ])
          : name === 'logs'
            ? map([
                [
                  'driver_opts',
                  map([
                    ['size', '500Mi'],
                    ['class', 'fast'],
                  ]),
                ],
                ['labels', ['a=b']],
                ['x-devtool-volume-init', true],
              ])
            : null,
      ]),
    ),
  ],
  ...['configs', 'secrets'].map((section): readonly [string, Value] => [
    section,
    map(
      FILES.map((name) => {
        switch (name) {
          case 'inline':
            return [name, map([['content', 'a: $$1\nb: ${SET}\n']])]
          case 'outside':
            return [name, map([['external', true]])]
          case 'key_file':
            return [name, map([['environment', 'SET']])]
          default:
            return [name, map([['file', `./files/${name}`]])]
        }
      }),
    ),
  ]),
]

const support: Files = {
  '.env': 'SET=set $UNKNOWN\nTWICE=${SET}\n',
  'a.env': '# first\nFROM_FILE="a b"\nA=file\n',
  'b.env': "B='$raw'\nexport C=c # d\n",
  'raw.env': 'R=a # b $ c\n',
  'a.labels': '# first\nfrom.file=a b\nnote=file\n',
  'b.labels': 'other.file=$SET\n',
  'files/app': 'text\n',
  'files/nginx.conf': 'server { listen 80; }\n',
  'files/bytes': new Uint8Array([0, 255, 128, 10]),
  'app/Dockerfile': 'FROM scratch\nEXPOSE 8443 53/udp\n',
}

const isJob = (one: Mapping): boolean => {
  const deploy = one.get('deploy')
  const policy = isMapping(deploy) ? deploy.get('restart_policy') : undefined
  const condition = isMapping(policy) ? policy.get('condition') : undefined
  const restart = condition ?? one.get('restart') ?? 'always'
  const isRestarted = restart === 'always' || restart === 'unless-stopped' || restart === 'any'
  return !isRestarted || (isMapping(deploy) && deploy.get('mode') === 'replicated-job')
}

const modeOf = (one: Mapping): Value | undefined => {
  const deploy = one.get('deploy')
  return isMapping(deploy) ? deploy.get('mode') : undefined
}

/**
 * Separates combinations that Compose allows, but a cluster does not: services on all nodes, or on certain ones, that
 * share a volume.
 */
const separable = (one: Mapping): Mapping => {
  const deploy = one.get('deploy')
  const isPlaced =
    modeOf(one) === 'global' || (isMapping(deploy) && deploy.has('placement')) || one.has('x-node-selector')
  return isPlaced || one.has('platform') ? new Map([...one].filter(([key]) => key !== 'volumes')) : one
}

/** An image must be built for the platform of its service. */
const buildable = (one: Mapping): Mapping => {
  const build = one.get('build')
  const isNarrow = isMapping(build) && build.has('platforms')
  return isNarrow ? new Map([...one].filter(([key]) => key !== 'platform')) : one
}

/** Container names, and the names of built images, must be unique. */
const ownNames = (services: ReadonlyArray<Mapping>): ReadonlyArray<Mapping> => {
  const first = services.findIndex((one) => one.has('container_name'))
  return services.map((one, index) => {
    const own = [...one].filter(([key]) => index <= first || key !== 'container_name')
    const isPushed = one.has('build')
    return new Map(own.map(([key, value]) => [key, isPushed && key === 'image' ? `example/own-${index}:dev` : value]))
  })
}

type Dependency = { readonly of: number; readonly condition: string; readonly isLong: boolean }

/** Each service may depend on services before it in the list; `order` is its position in the file. */
const dependOn = (
  names: ReadonlyArray<string>,
  services: ReadonlyArray<Mapping>,
  index: number,
  wishes: ReadonlyArray<Dependency>,
) => {
  const wanted = new Map<string, Value>()
  for (const { of, condition } of wishes) {
    const [name, target] = [names[of % Math.max(1, index)], services[of % Math.max(1, index)]]
    if (index === 0 || name === undefined || target === undefined) continue
    const never = condition === 'service_completed_successfully' && !isJob(target)
    wanted.set(name, map([['condition', never ? 'service_started' : condition]]))
  }
  if (wanted.size === 0) return []
  return [['depends_on', wishes[0]?.isLong === true ? wanted : [...wanted.keys()]] as const]
}

const tcpPort = (one: Mapping): number | undefined => {
  const ports = one.get('ports')
  if (!Array.isArray(ports)) return undefined
  return ports.find((port: Value) => typeof port === 'number')
}

const CONDITIONS = ['service_started', 'service_healthy', 'service_completed_successfully']
const wish: fc.Arbitrary<Dependency> = fc.record({
  of: fc.nat(9),
  condition: fc.constantFrom(...CONDITIONS),
  isLong: fc.boolean(),
})

const endpointsOf = (
  form: number,
  services: ReadonlyArray<readonly [string, Mapping]>,
): ReadonlyArray<readonly [string, Value]> => {
  const rules = services.flatMap(([name, one], index) => {
    const port = tcpPort(one)
    return port === undefined
      ? []
      : [
          map([
            ['path', `/p${index}`],
            ['service', name],
            ['port', port],
          ]),
        ]
  })
  if (rules.length === 0 || form === 0) return []
  if (form === 1) return [['endpoints', rules]]
  if (form === 2)
    return [
      [
        'endpoints',
        map([
          ['public', rules],
          ['Second_One', rules],
        ]),
      ],
    ]
  return [
    [
      'endpoints',
      map([
        ['labels', map([['note', 'a']])],
        ['rules', rules],
      ]),
    ],
  ]
}

const top = fields({
  version: fc.constantFrom<Value>('3.8', 3),
  'x-common': service,
  networks: fc.constant(
    map([
      ['front', null],
      ['back', map([['driver', 'bridge']])],
    ]),
  ),
})

/** A project of one to five services. */
export const project: fc.Arbitrary<Project> = fc
  .record({
    names: fc.shuffledSubarray(NAMES, { minLength: 1, maxLength: 5 }),
    bodies: fc.array(service, { minLength: 5, maxLength: 5 }),
    wishes: fc.array(fc.array(wish, { maxLength: 2 }), { minLength: 5, maxLength: 5 }),
    isReversed: fc.boolean(),
    endpoints: fc.nat(3),
    rest: top,
    isNamed: fc.boolean(),
  })
  .map(({ names, bodies, wishes, isReversed, endpoints, rest, isNamed }) => {
    const plain = ownNames(names.map((_, index) => separable(buildable(bodies[index] ?? new Map()))))
    const services = names.map((name, index) => {
      const needs = dependOn(names, plain, index, wishes[index] ?? [])
      return [name, new Map([...(plain[index] ?? []), ...needs])] as const
    })
    const ordered = isReversed ? services.toReversed() : services
    const document = new Map<string, Value>([
      ...(isNamed ? [['name', 'given'] as const] : []),
      ...rest,
      ['services', new Map(ordered)],
      ...resources,
      ...endpointsOf(endpoints, services),
    ])
    return { document, files: support }
  })

/** The notation: its seed, and whether the project is split into several files. */
export const writing = fc.record({ seed: fc.nat(), isSplit: fc.boolean() })
export type Writing = typeof writing extends fc.Arbitrary<infer A> ? A : never

export const filesOf = ({ document, files }: Project, { seed, isSplit }: Writing): Files =>
  isSplit ? { ...files, ...manyFiles(document, seed) } : { ...files, 'compose.yaml': oneFile(document, seed) }
