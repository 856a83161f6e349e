/** Damage to real text, from a typing error to a hostile file. */
import { isList, isMap, type Value } from '../../src/domain/print/value.ts'
import type { Random } from './random.ts'

const SCALARS = [
  ...[
    '',
    '~',
    'null',
    'yes',
    '08',
    '0x1F',
    '1e999',
    '-1',
    '.inf',
    '99999999999999999999',
    '1_0',
    '12:30',
    '2024-01-01',
  ],
  ...[
    '[]',
    '{}',
    '[a, [b]]',
    '{a: b}',
    '- x',
    '"',
    "'",
    '|',
    '>-',
    '?',
    '*a',
    '&a',
    '!reset',
    '!override x',
    '!!int "1"',
    '!x',
  ],
  ...['$', '$$', '${', '${}', '${A', '${A:-${B:-${C}}}', '${A:?}', '${1}', '$(x)', '${SET}', '"${A:-\\"}"'],
  ...['../../etc/passwd', '/dev/stdin', 'C:\\x', '\\\\host\\x', '/', '.', '..', '//', 'a/../..', 'CON', '/a:b', 'a\0b'],
  ...[
    '80',
    '0',
    '65536',
    '80:80',
    '1-65535',
    '80-90:80-91',
    '::1:80:80',
    '5432:5432',
    '53/udp',
    '80/x',
    '1s',
    '1h1',
    '-5s',
    '1.5',
  ],
  ...[
    '512m',
    '1Ei',
    '0.0001',
    '1e3Gi',
    'all',
    'host',
    'service:web',
    'none',
    'on-failure:x',
    'global',
    'UPPER',
    'a..b',
    '-',
    '_',
    'é',
    '😀',
  ],
  ...[
    'x'.repeat(300),
    `"${'\\u0000'}"`,
    '"\\x1b[31m"',
    '__proto__',
    'constructor',
    'toString',
    'unix:///var/run/docker.sock',
  ],
]
const KEYS = [
  ...[
    'image',
    'build',
    'command',
    'entrypoint',
    'environment',
    'env_file',
    'ports',
    'expose',
    'volumes',
    'depends_on',
    'links',
  ],
  ...[
    'healthcheck',
    'labels',
    'deploy',
    'resources',
    'restart',
    'scale',
    'networks',
    'configs',
    'secrets',
    'extends',
    'profiles',
  ],
  ...[
    'user',
    'tmpfs',
    'shm_size',
    'extra_hosts',
    'dns',
    'dns_search',
    'sysctls',
    'hostname',
    'domainname',
    'container_name',
  ],
  ...[
    'network_mode',
    'pid',
    'cpus',
    'mem_limit',
    'gpus',
    'platform',
    'security_opt',
    'group_add',
    'volumes_from',
    'x-node-selector',
  ],
  ...[
    'annotations',
    'label_file',
    'pre_start',
    'post_start',
    'stop_grace_period',
    'include',
    'name',
    'services',
    'endpoints',
    '<<',
  ],
  ...[
    'test',
    'interval',
    'http',
    'condition',
    'target',
    'source',
    'type',
    'mode',
    'published',
    'external',
    'file',
    'content',
    'driver_opts',
  ],
]
const FRAGMENTS = [
  ...[
    '$',
    '${',
    '}',
    ':',
    ': ',
    ' #',
    '"',
    "'",
    '[',
    ']',
    '{',
    ',',
    '|',
    '>',
    '&a ',
    '*a',
    '!',
    '!!str ',
    '<<: *a\n',
    '---\n',
    '...\n',
  ],
  ...[
    '\t',
    '\0',
    '\r',
    '\r\n',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\u202e',
    '\ud800',
    '😀',
    '\u001b[2J',
    '%YAML 1.1\n',
    '? ',
    '- ',
    '\n',
    '  ',
  ],
]

type Mutation = (rng: Random, text: string) => string

const onLines =
  (change: (rng: Random, lines: Array<string>, at: number) => void): Mutation =>
  (rng, text) => {
    const lines = text.split('\n')
    change(rng, lines, rng.below(lines.length))
    return lines.join('\n')
  }

const indentOf = (line: string): string => /^ */.exec(line)?.[0] ?? ''
const splice = (rng: Random, text: string, insert: string, most: number): string => {
  const at = rng.below(text.length + 1)
  return text.slice(0, at) + insert + text.slice(at + rng.below(most + 1))
}

const mutations: ReadonlyArray<Mutation> = [
  onLines((rng, lines, at) => lines.splice(at, 1 + rng.below(3))),
  onLines((rng, lines, at) => lines.splice(at, 0, ...lines.slice(at, at + 1 + rng.below(4)))),
  onLines((rng, lines, at) => {
    const other = rng.below(lines.length)
    ;[lines[at], lines[other]] = [lines[other] ?? '', lines[at] ?? '']
  }),
  onLines((rng, lines, at) => {
    lines[at] = rng.chance(0.5) ? ` ${lines[at]}` : (lines[at] ?? '').replace(/^ /, '')
  }),
  onLines((rng, lines, at) => {
    const end = at + 1 + rng.below(6)
    for (let i = at; i < Math.min(end, lines.length); i += 1) lines[i] = `  ${lines[i]}`
  }),
  onLines((rng, lines, at) => {
    lines[at] = (lines[at] ?? '').replace(
      /^( *(?:- )?)([^:\s]+:) *.*$/,
      (_, pad, key) => `${pad}${key} ${rng.pick(SCALARS)}`,
    )
  }),
  onLines((rng, lines, at) => {
    lines[at] = (lines[at] ?? '').replace(/^( *- ).*$/, (_, pad) => `${pad}${rng.pick(SCALARS)}`)
  }),
  onLines((rng, lines, at) => {
    lines.splice(at, 0, `${indentOf(lines[at] ?? '')}${rng.pick(KEYS)}: ${rng.pick(SCALARS)}`)
  }),
  onLines((rng, lines, at) => {
    const pad = indentOf(lines[at] ?? '')
    lines.splice(
      at,
      0,
      `${pad}${rng.pick(KEYS)}:`,
      `${pad}  ${rng.pick(['- ', `${rng.pick(KEYS)}: `])}${rng.pick(SCALARS)}`,
    )
  }),
  onLines((rng, lines, at) => {
    lines[at] = (lines[at] ?? '').replace(/[^:\s]+(?=:)/, () => rng.pick(KEYS))
  }),
  (rng, text) => splice(rng, text, rng.pick(FRAGMENTS), 0),
  (rng, text) => splice(rng, text, rng.pick(FRAGMENTS), 3),
  (rng, text) => splice(rng, text, '', 20),
  (rng, text) => splice(rng, text, text.slice(rng.below(text.length), rng.below(text.length)).slice(0, 200), 0),
  (rng, text) => text.slice(0, rng.below(text.length + 1)),
]

/** One to four mutations; rarely, bytes that are no text. */
export const mutate = (rng: Random, text: string): string | Uint8Array => {
  let result = text
  for (let left = 1 + rng.below(4); left > 0; left -= 1) result = rng.pick(mutations)(rng, result)
  if (!rng.chance(0.02)) return result
  const bytes = new TextEncoder().encode(result)
  for (let left = 1 + rng.below(4); left > 0 && bytes.length > 0; left -= 1)
    bytes[rng.below(bytes.length)] = rng.below(256)
  return bytes
}

const UNLIKELY: ReadonlyArray<Value> = [
  ...[
    '',
    ' ',
    'a b',
    'a\nb',
    '\0',
    '\u001b[2J',
    'é',
    '\ud800',
    'x'.repeat(300),
    'UPPER',
    'a_b',
    'a..b',
    '-a',
    'a-',
    '.',
    '..',
    '/',
    '//',
  ],
  ...[
    'C:\\x',
    '/a:b',
    '/a/../..',
    '../..',
    '/dev/stdin',
    'a/b/c',
    'a=b',
    'a:b',
    '=',
    ':',
    '@',
    '1',
    '0',
    '-1',
    '65536',
    '1e3',
    '0x1f',
    '1.5.2',
  ],
  ...[
    'http://a',
    '::1',
    '[::1]',
    '1.2.3.4',
    '300.1.1.1',
    '2147483648',
    '99999999999',
    'host',
    'all',
    'no',
    '$$(x)',
    '$$$$',
    '*',
    '%',
    '"',
    "'",
  ],
  ...[0, -1, 1, 1.5, 65_536, 2 ** 31, 2 ** 53, true, false, null],
  [],
  ['a', 'a'],
  new Map(),
  new Map([['', '']]),
  new Map([['a b', 'c']]),
]

/** The same data with one value, or one key, that nobody would write. */
export const poisoned = (rng: Random, value: Value): Value => {
  if (typeof value !== 'object' || value === null || rng.chance(0.04)) return rng.pick(UNLIKELY)
  if (isList(value)) {
    const at = rng.below(value.length)
    return value.length === 0 ? [rng.pick(UNLIKELY)] : value.map((item, i) => (i === at ? poisoned(rng, item) : item))
  }
  const entries = [...(isMap(value) ? value : new Map(Object.entries(value)))]
  const at = rng.below(entries.length)
  const isKey = rng.chance(0.05)
  return new Map(
    entries.map(([key, member], i): [string, Value] => {
      if (i !== at || member === undefined) return [key, member ?? null]
      return isKey ? [String(rng.pick(UNLIKELY)), member] : [key, poisoned(rng, member)]
    }),
  )
}
