/**
 * How a field is merged with the same field of an earlier file (Compose Specification, "Merge"). Fields that are not
 * listed follow their shape: mappings are merged, lists appended, everything else replaced.
 */
import * as E from 'fp-ts/lib/Either.js'
import { readMount } from '../text/mount.ts'
import { normalise, pathWritten } from '../text/path.ts'
import { get, type Node } from '../yaml/node.ts'

/**
 * - `replace`: the later value stands alone
 * - `pairs`: `NAME=value` lists and mappings are one thing, merged by name; with `mayBeText`, one text is such a list
 * - `names`: a list of names and a mapping are one thing, merged by name; `short` is what a name in a list stands for
 * - `unique`: a list in which an item replaces an earlier one of the same identity
 * - `hosts`: a list of `name=address`, to which the later file adds its own; a mapping is such a list
 * - `path`: text and mapping are one thing; text is the value of the named key
 */
export type Rule =
  | { readonly _tag: 'replace' }
  | { readonly _tag: 'pairs'; readonly separator: RegExp; readonly mayBeText?: true }
  | { readonly _tag: 'names'; readonly short: ReadonlyArray<readonly [key: string, text: string]> }
  | { readonly _tag: 'unique'; readonly identity: (item: Node) => string }
  | { readonly _tag: 'hosts' }
  | { readonly _tag: 'path'; readonly key: string }

const text = (node: Node | undefined): string => (node?._tag === 'Scalar' ? node.text : '')

/** Identity of an item written as a string or a mapping: the string, or the named keys of the mapping. */
const byText = (item: Node): string => (item._tag === 'Scalar' ? item.text : `{${item.start}}`)

const byTarget =
  (fallback: (source: string) => string) =>
  (item: Node): string => {
    if (item._tag !== 'Scalar') return normalise(text(get(item, 'target')) || fallback(text(get(item, 'source'))))
    return fallback(item.text)
  }

/** The target of a mount in short notation, or the text itself if it has none. */
const mountTarget = (short: string): string => {
  const mount = readMount(short)
  return E.isRight(mount) ? normalise(mount.right.target) : short
}

/** One path in files of two folders names two files. */
const byFile = (item: Node): string => {
  const path = item._tag === 'Scalar' ? item : get(item, 'path')
  return path?._tag === 'Scalar' ? pathWritten(path, path.text) : byText(item)
}

const beforeColon = (item: Node): string => text(item).split(':')[0] ?? ''

/** A port without an address is published on all addresses. */
const portIdentity = (item: Node): string => {
  if (item._tag === 'Scalar') {
    const written = item.text.replace(/^(?:0\.0\.0\.0)?:/, '')
    return written.includes('/') ? written : `${written}/tcp`
  }
  const part = (key: string): string => text(get(item, key))
  const [ip, published] = [part('host_ip'), part('published')]
  const protocol = part('protocol') || 'tcp'
  return `${ip === '' || ip === '0.0.0.0' ? '' : `${ip}:`}${published === '' ? '' : `${published}:`}${part('target')}/${protocol}`
}

const replace: Rule = { _tag: 'replace' }
const pairs = { _tag: 'pairs', separator: /=/ } as const satisfies Rule
const hosts: Rule = { _tag: 'hosts' }
const names: Rule = { _tag: 'names', short: [] }
const dependencies: Rule = {
  _tag: 'names',
  short: [
    ['condition', 'service_started'],
    ['required', 'true'],
  ],
}
const unique = (identity: (item: Node) => string): Rule => ({ _tag: 'unique', identity })

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['services.*.command', replace],
  ['services.*.entrypoint', replace],
  ['services.*.healthcheck.test', replace],
  ['services.*.build', { _tag: 'path', key: 'context' }],
  ['services.*.depends_on', dependencies],
  ['services.*.networks', names],
  ['services.*.models', names],
  ['services.*.extra_hosts', hosts],
  ['services.*.build.extra_hosts', hosts],
  ...[
    'services.*.environment',
    'services.*.labels',
    'services.*.annotations',
    'services.*.sysctls',
    'services.*.build.args',
    'services.*.build.labels',
    'services.*.build.additional_contexts',
    'services.*.deploy.labels',
    'services.*.x-node-selector',
    'networks.*.labels',
    'volumes.*.labels',
    'configs.*.labels',
    'secrets.*.labels',
    'endpoints.labels',
  ].map((path): [string, Rule] => [path, pairs]),
  ...[
    'cap_add',
    'cap_drop',
    'dns',
    'dns_opt',
    'dns_search',
    'expose',
    'external_links',
    'group_add',
    'links',
    'profiles',
    'security_opt',
    'volumes_from',
    'build.tags',
    'build.platforms',
    'build.cache_from',
    'build.cache_to',
    'build.no_cache_filter',
  ].map((field): [string, Rule] => [`services.*.${field}`, unique(byText)]),
  ['services.*.build.ssh', { ...pairs, mayBeText: true }],
  ['services.*.env_file', unique(byFile)],
  ['services.*.label_file', unique(byFile)],
  ['services.*.tmpfs', unique(beforeColon)],
  ['services.*.ports', unique(portIdentity)],
  ['services.*.volumes', unique(byTarget(mountTarget))],
  ['services.*.devices', unique(byTarget(mountTarget))],
  ['services.*.secrets', unique(byTarget((source) => `/run/secrets/${source}`))],
  ['services.*.configs', unique(byTarget((source) => `/${source}`))],
])

/** The rule for a path such as `services.*.ports`; `undefined` means: by shape. */
export const ruleOf = (path: string): Rule | undefined => rules.get(path)

/** Sections whose keys the user chooses: only below these does a path have `*`. */
const named: ReadonlySet<string> = new Set(['services', 'networks', 'volumes', 'configs', 'secrets', 'models'])

export const childPath = (path: string, key: string): string =>
  path === '' ? key : named.has(path) ? `${path}.*` : `${path}.${key}`
