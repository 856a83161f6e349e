/** The same Compose project written differently: YAML in random notations, and services split over several places. */

import { isList, isMap, type Value } from '../../../src/domain/print/value.ts'
import { printYaml } from '../../../src/domain/print/yaml.ts'
import { type Random, random } from './random.ts'

export type Mapping = ReadonlyMap<string, Value>
export const isMapping = (value: Value | undefined): value is Mapping =>
  typeof value === 'object' && value !== null && !isList(value) && isMap(value)

/** An alias or an anchored value. Documents contain no such objects, only Maps. */
type Mark = { readonly alias: string } | { readonly anchor: string; readonly of: Value }
type Scalar = string | number | boolean | null
type WrittenValue = Scalar | Mark | ReadonlyArray<WrittenValue> | ReadonlyMap<string, WrittenValue>

const isSequence = (value: WrittenValue): value is ReadonlyArray<WrittenValue> => Array.isArray(value)
const isEntries = (value: WrittenValue): value is ReadonlyMap<string, WrittenValue> => value instanceof Map

/** Documents consist of Maps only. */
const written = (value: Value): WrittenValue => {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(written)
  return new Map(
    [...(isMap(value) ? value : Object.entries(value))].map(([key, member]) => [key, written(member ?? null)]),
  )
}

const PLAIN = /^(?!(?:y|n|yes|no|on|off|true|false|null|e-?[0-9]+)$)[a-z/](?:[a-z0-9_./@-]|:(?=[^\s]))*$/i
const escape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
const doubled = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escape)

const scalarText = (rng: Random, value: Scalar, isFlow: boolean): string => {
  if (value === null) return rng.pick(isFlow ? ['null', '~'] : ['null', '~', 'Null'])
  if (typeof value !== 'string') return String(value)
  const forms = [doubled(value)]
  if (PLAIN.test(value)) forms.unshift(value, value)
  if (/^[ -~\u00a1-\ud7ff]*$/.test(value)) forms.push(`'${value.replaceAll("'", "''")}'`)
  return rng.pick(forms)
}

const isScalar = (value: WrittenValue): value is Scalar => typeof value !== 'object' || value === null

const flow = (rng: Random, value: WrittenValue): string => {
  if (isScalar(value)) return scalarText(rng, value, true)
  if (isSequence(value)) return `[${value.map((item) => flow(rng, item)).join(', ')}]`
  if (isEntries(value)) {
    return `{${[...value].map(([key, member]) => `${key === '<<' ? key : doubled(key)}: ${flow(rng, member)}`).join(', ')}}`
  }
  return 'alias' in value ? `*${value.alias} ` : `&${value.anchor} ${flow(rng, written(value.of))}`
}

const literal = (text: string, pad: string): string =>
  `|2${text.endsWith('\n') ? '' : '-'}\n${text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line === '' ? '' : `${pad}  ${line}`))
    .join('\n')}`

const note = (rng: Random, pad: string): string =>
  rng.chance(0.03) ? `${pad}# a note: {not} "yaml"\n` : rng.chance(0.03) ? '\n' : ''

/** What follows `key:` or `-`, including the newline. `pad` is the column of the key or dash. */
const block = (rng: Random, value: WrittenValue, pad: string, anchors: { next: number }): string => {
  if (isScalar(value)) {
    const isText =
      typeof value === 'string' &&
      /^[^ \n\t\r\0-\x1f][^\r\0-\x08\x0b-\x1f\x7f-\x9f\ufeff\u2028\u2029\ufffe\uffff]*$/.test(value)
    if (isText && /\n[^\n]/.test(value) && !/[ \t]\n|[ \t]$|\n\n$|\n[ \t]/.test(value) && rng.chance(0.7)) {
      return ` ${literal(value, pad)}\n`
    }
    return ` ${scalarText(rng, value, false)}\n`
  }
  if (!isSequence(value) && !isEntries(value)) {
    if ('alias' in value) return ` *${value.alias}\n`
    return ` &${value.anchor}${block(rng, written(value.of), pad, { next: -1e9 })}`
  }
  const entries = isEntries(value) ? [...value] : []
  const items = isSequence(value) ? value : []
  if (items.length + entries.length === 0) return isSequence(value) ? ' []\n' : ' {}\n'
  const anchor = anchors.next >= 0 && rng.chance(0.03) ? ` &n${(anchors.next += 1)}` : ''
  if (rng.chance(0.12)) return `${anchor} ${flow(rng, value)}\n`
  const inner = `${pad}${rng.pick(['  ', '    ', ' '])}`
  const lines = [
    ...items.map((item) => `${note(rng, inner)}${inner}-${block(rng, item, inner, anchors)}`),
    ...entries.map(([key, member]) => {
      const name = key === '<<' ? key : scalarText(rng, key, false)
      return `${note(rng, inner)}${inner}${name}:${block(rng, member, inner, anchors)}`
    }),
  ]
  return `${anchor}\n${lines.join('')}`
}

const writeYaml = (rng: Random, document: ReadonlyMap<string, WrittenValue>): string =>
  [...document]
    .map(([key, value]) => `${note(rng, '')}${scalarText(rng, key, false)}:${block(rng, value, '', { next: 0 })}`)
    .join('')

const entriesOf = (document: Mapping): ReadonlyMap<string, WrittenValue> =>
  new Map([...document].map(([key, value]) => [key, written(value)]))

/** One file; seed 0 gives the notation of `printYaml`. */
export const oneFile = (document: Mapping, seed: number): string =>
  seed === 0 ? printYaml(document) : writeYaml(random(seed), entriesOf(document))

const servicesOf = (document: Mapping): ReadonlyMap<string, Value> => {
  const services = document.get('services')
  return isMapping(services) ? services : new Map()
}

type Parts = {
  readonly own: Map<string, WrittenValue>
  readonly templates: Map<string, WrittenValue>
  readonly bases: Map<string, WrittenValue>
  readonly over: Map<string, WrittenValue>
}

/** Divides the keys of a service between itself and another place. */
const divide = (rng: Random, service: Mapping): readonly [Map<string, WrittenValue>, Map<string, Value>] => {
  const [kept, moved] = [new Map<string, WrittenValue>(), new Map<string, Value>()]
  for (const [key, value] of service) {
    if (rng.chance(0.5)) moved.set(key, value)
    else kept.set(key, written(value))
  }
  return [kept, moved]
}

const takeApart = (rng: Random, parts: Parts, name: string, service: Value): void => {
  if (!isMapping(service) || rng.chance(0.3)) return void parts.own.set(name, written(service))
  const [kept, moved] = divide(rng, service)
  const index = parts.own.size
  switch (rng.pick(['merge', 'extends', 'override'])) {
    case 'merge':
      parts.templates.set(`x-part-${index}`, { anchor: `part${index}`, of: moved })
      return void parts.own.set(name, new Map<string, WrittenValue>([...kept, ['<<', { alias: `part${index}` }]]))
    case 'extends':
      parts.bases.set(`base-${index}`, written(moved))
      return void parts.own.set(
        name,
        new Map<string, WrittenValue>([
          [
            'extends',
            new Map([
              ['file', 'common.yaml'],
              ['service', `base-${index}`],
            ]),
          ],
          ...kept,
        ]),
      )
    default:
      parts.over.set(name, written(moved))
      return void parts.own.set(name, kept)
  }
}

/** Several files that mean the same as the document. `compose.yaml` is first, then its override. */
export const manyFiles = (document: Mapping, seed: number): Readonly<Record<string, string>> => {
  const rng = random(seed)
  const parts: Parts = { own: new Map(), templates: new Map(), bases: new Map(), over: new Map() }
  for (const [name, service] of servicesOf(document)) takeApart(rng, parts, name, service)
  const rest = [...entriesOf(document)].filter(([key]) => key !== 'services')
  const write = (entries: ReadonlyArray<readonly [string, WrittenValue]>): string => writeYaml(rng, new Map(entries))
  return {
    'compose.yaml': write([...parts.templates, ...rest, ['services', parts.own]]),
    ...(parts.over.size === 0 ? {} : { 'compose.override.yaml': write([['services', parts.over]]) }),
    ...(parts.bases.size === 0 ? {} : { 'common.yaml': write([['services', parts.bases]]) }),
  }
}

/** Reorders the keys of each service; everything below them is unchanged. */
export const shuffled = (document: Mapping, seed: number): Mapping => {
  const rng = random(seed)
  const shuffle = (service: Value): Value =>
    isMapping(service)
      ? new Map(
          [...service]
            .map((entry) => ({ entry, at: rng.below(1_000_000) }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ entry }) => entry),
        )
      : service
  const services = new Map([...servicesOf(document)].map(([name, service]) => [name, shuffle(service)]))
  return new Map([...document].map(([key, value]) => [key, key === 'services' ? services : value]))
}
