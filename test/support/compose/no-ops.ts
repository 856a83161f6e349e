/** Values without effect on a cluster, each with the reason: they request nothing, or the default. */
import { fieldRows } from '../../../src/domain/compose/field-rows.ts'
import type { Span } from '../../../src/domain/text/source.ts'
import { get, type Node, type Scalar } from '../../../src/domain/yaml/node.ts'

type NoOp = { readonly path: RegExp; readonly key?: RegExp; readonly value?: RegExp; readonly why: string }

const table: ReadonlyArray<NoOp> = [
  { path: /^(?:.*\.)?x-(?!devtool-|node-selector)/, why: 'an extension of the user, for anchors' },
  { path: /^name$/, why: 'it names the environment, which the labels of all objects carry' },
  { path: /^include\b/, why: 'it is read before anything is translated' },
  { path: /^services\.\*\.extends\b/, why: 'it is read before anything is translated' },
  { path: /^networks\.\*$/, why: 'all services of a namespace reach each other' },
  { path: /^services\.\*\.networks(?:\[\]|\.\*)$/, why: 'all services of a namespace reach each other' },
  { path: /^networks\.\*\.driver$/, value: /^(?:bridge|default)$/, why: 'the default' },
  { path: /^networks\.\*\.(?:internal|enable_ipv6)$/, value: /^false$/, why: 'the default' },
  { path: /^volumes\.\*\.driver$/, value: /^local$/, why: 'the default' },
  { path: /^(?:volumes|configs|secrets)\.\*\.external$/, value: /^false$/, why: 'the default' },
  { path: /^services\.\*\.volumes\[\]\.volume\.nocopy$/, value: /^true$/, why: 'nothing is copied into this mount' },
  { path: /^volumes\.\*\.x-devtool-volume-init$/, value: /^false$/, why: 'the default' },
  {
    path: /^services\.\*\.(?:init|tty|stdin_open|privileged|read_only|oom_kill_disable|use_api_socket)$/,
    value: /^(?:false|no|off)$/i,
    why: 'the default',
  },
  { path: /^services\.\*\.healthcheck\.disable$/, value: /^false$/, why: 'the default' },
  { path: /^services\.\*\.(?:post_start|pre_stop)\[\]\.privileged$/, value: /^false$/, why: 'the default' },
  { path: /^services\.\*\.links\[\]$/, value: /^[^:]+$/, why: 'said before: another link, or depends_on' },
  { path: /^services\.\*\.stop_signal$/, value: /^(?:SIG)?TERM$|^15$/, why: 'the default' },
  { path: /^services\.\*\.network_mode$/, value: /^(?:bridge|default)$/, why: 'the default' },
  { path: /^services\.\*\.(?:pid|ipc)$/, value: /^(?:private)?$/, why: 'the default' },
  {
    path: /^services\.\*\.(?:cpus|cpu_count|cpu_quota|mem_limit|mem_reservation|shm_size)$/,
    value: /^(?:-1|0+[a-z]*)$/i,
    why: 'no limit',
  },
  {
    path: /^services\.\*\.deploy\.resources\.[a-z]+\.(?:cpus|memory)$/,
    value: /^0+(?:\.0+)?[a-z]*$/i,
    why: 'no limit',
  },
  {
    path: /^services\.\*\.(?:[a-z_]+|deploy\.(?:mode|endpoint_mode))$/,
    value: /^$/,
    why: 'an empty text counts as absent',
  },
  { path: /^services\.\*\.deploy\.endpoint_mode$/, value: /^vip$/, why: 'the default' },
  { path: /^services\.\*\.depends_on\.\*\.required$/, why: 'it is about services that profiles switch off' },
  { path: /^services\.\*\.depends_on\.\*\.restart$/, value: /^false$/, why: 'the default' },
  { path: /^services\.\*\.(?:labels|deploy\.labels)\.\*$/, key: /^kompose\./, why: 'kompose.* is for another program' },
  {
    path: /^services\.\*\.(?:labels|deploy\.labels)\[\]$/,
    value: /^kompose\./,
    why: 'kompose.* is for another program',
  },
]

const ignored = fieldRows().flatMap(({ path, effect }) => (effect._tag === 'ignored' ? [path] : []))

export const isNoOp = (path: string, key: string, scalar: Scalar): boolean =>
  ignored.some((one) => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}[`)) ||
  table.some((row) => row.path.test(path) && (row.key?.test(key) ?? true) && (row.value?.test(scalar.text) ?? true))

/** Values in a long notation: all of their members become one part of an object. */
const wholes: ReadonlyArray<RegExp> = [
  /^services\.\*\.(?:volumes|ports|configs|secrets|gpus|pre_start|post_start|pre_stop)\[\]$/,
  /^services\.\*\.deploy\.resources\.reservations\.devices\[\]$/,
  /^services\.\*\.deploy\.update_config$/,
  /^services\.\*\.healthcheck\.http$/,
  /^services\.\*\.build\.(?:secrets\[\]|ulimits\.\*)$/,
  /^endpoints(?:\[\]|\.\*\[\]|\.rules\[\])$/,
]

const effects = new Map(fieldRows().map(({ effect, path }) => [path, effect._tag]))

/** The effect of the field that a value belongs to, or of the innermost field around it. */
const effectAt = (path: string): string | undefined => {
  const around = path.replace(/(?:\.[^.[\]]+|\[\])$/, '')
  return effects.get(path) ?? (around === path ? undefined : effectAt(around))
}

/** Options of a mount are those of its type. */
const isOfType = (mount: Node, key: string | undefined): boolean => {
  const written = get(mount, 'type')
  const type = written?._tag === 'Scalar' ? written.text : 'volume'
  if (key === 'source') return type !== 'tmpfs'
  return key === type || !['volume', 'bind', 'tmpfs', 'image'].includes(key ?? '')
}

/** Whether `whole`, at `path`, becomes one part of an object, together with its member at `member`. */
export const isWholeOf = (whole: Span | Node, path: string, member: string): boolean => {
  if (!wholes.some((one) => one.test(path)) || effectAt(member) !== 'maps') return false
  const [key] = member.slice(path.length + 1).split(/[.[]/, 1)
  return path !== 'services.*.volumes[]' || !('_tag' in whole) || isOfType(whole, key)
}
