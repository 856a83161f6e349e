/**
 * A project dealt out over several files, so that what each of them says adds up to what one file would say: deep
 * inside of services, in either notation of a list with names, by `-f a -f b`, `extends` and `include`.
 */
import { isDeepStrictEqual } from 'node:util'
import { isList, type Value } from '../../../src/domain/print/value.ts'
import type { Files } from '../compose/project.ts'
import { isMapping, type Mapping, oneFile } from './notation.ts'
import { type Random, random } from './random.ts'

/** A later list replaces an earlier one here; and nothing below a key of the user's is merged. */
const isWhole = (key: string): boolean => /^(?:command|entrypoint|test|x-note)$/.test(key)
const isPairs = (key: string): boolean => /^(?:environment|labels|annotations|sysctls|args|x-node-selector)$/.test(key)
const mayBeText = (key: string): boolean => /^(?:env_file|label_file|dns|dns_search|tmpfs|cache_from)$/.test(key)

const asMapping = (items: ReadonlyArray<Value>): Mapping | undefined => {
  const entries = items.map((item): readonly [string, Value] => {
    const text = typeof item === 'string' ? item : ''
    const at = text.indexOf('=')
    return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)]
  })
  const made = new Map(entries)
  return made.size === items.length ? made : undefined
}

const asItems = (mapping: Mapping): Value =>
  [...mapping].map(([key, value]) => (value === null || typeof value === 'object' ? key : `${key}=${value}`))

/** The same in the other notation of the field. */
const rewritten = (key: string, value: Value): Value => {
  if (isPairs(key)) return isMapping(value) ? asItems(value) : isList(value) ? (asMapping(value) ?? value) : value
  const [item] = isList(value) && mayBeText(key) ? value : []
  return isList(value) && value.length === 1 && typeof item === 'string' ? item : value
}

/** An item that the other file repeats is not added again, so it would be found at one place only. */
const hasTwice = (items: ReadonlyArray<Value>): boolean =>
  items.some((item, i) => items.slice(0, i).some((before) => isDeepStrictEqual(item, before)))

type Halves = readonly [first: Value | undefined, second: Value | undefined]

const halvesOf = (rng: Random, key: string, value: Value): Halves => {
  if (isWhole(key) || (isList(value) && hasTwice(value)) || rng.chance(0.2))
    return rng.chance(0.5) ? [value, undefined] : [undefined, value]
  if (isList(value)) {
    const isFirst = value.map(() => rng.chance(0.5))
    const [first, second] = [value.filter((_, i) => isFirst[i]), value.filter((_, i) => !isFirst[i])]
    return [first.length === 0 ? undefined : first, second.length === 0 ? undefined : second]
  }
  if (!isMapping(value)) return rng.chance(0.5) ? [value, undefined] : [undefined, value]
  const [first, second] = divided(rng, value)
  return [first.size === 0 && second.size > 0 ? undefined : first, second.size === 0 ? undefined : second]
}

const divided = (rng: Random, mapping: Mapping): readonly [Map<string, Value>, Map<string, Value>] => {
  const [first, second] = [new Map<string, Value>(), new Map<string, Value>()]
  const put = (into: Map<string, Value>, key: string, value: Value | undefined): void => {
    if (value !== undefined) into.set(key, rng.chance(0.4) ? rewritten(key, value) : value)
  }
  for (const [key, value] of mapping) {
    const [one, other] = halvesOf(rng, key, value)
    put(first, key, one)
    put(second, key, other)
  }
  return [first, second]
}

const extending = (own: Mapping, base: string): Mapping =>
  new Map<string, Value>([
    [
      'extends',
      new Map([
        ['file', 'common.yaml'],
        ['service', base],
      ]),
    ],
    ...own,
  ])

/** The files to name, in order, and all files. */
export type DividedProject = { readonly named: ReadonlyArray<string>; readonly files: Files }

export const dividedFiles = (document: Mapping, seed: number): DividedProject => {
  const rng = random(seed)
  const [main, over] = [new Map<string, Value>(), new Map<string, Value>()]
  const [bases, included] = [new Map<string, Value>(), new Map<string, Value>()]
  const services = document.get('services')
  for (const [name, service] of isMapping(services) ? services : []) {
    if (!isMapping(service)) continue
    if (rng.chance(0.2)) {
      included.set(name, service)
      continue
    }
    const [kept, moved] = rng.chance(0.5) ? divided(rng, service) : [service]
    if (moved !== undefined) bases.set(`base-${bases.size}`, moved)
    const [first, second] = rng.chance(0.6) ? divided(rng, kept) : [kept]
    main.set(name, moved === undefined ? first : extending(first, `base-${bases.size - 1}`))
    if (second !== undefined && second.size > 0) over.set(name, second)
  }
  const rest = new Map([...document].filter(([key]) => key !== 'services'))
  const [first, second] = divided(rng, rest)
  const write = (parts: Mapping): string => oneFile(parts, rng.below(1_000_000))
  return {
    named: ['compose.yaml', 'over.yaml'],
    files: {
      'compose.yaml': write(
        new Map<string, Value>([
          ...(included.size === 0 ? [] : [['include', ['part.yaml']] as const]),
          ...first,
          ['services', main],
        ]),
      ),
      'over.yaml': write(new Map<string, Value>([...second, ['services', over]])),
      ...(bases.size === 0 ? {} : { 'common.yaml': write(new Map([['services', bases]])) }),
      ...(included.size === 0 ? {} : { 'part.yaml': write(new Map([['services', included]])) }),
    },
  }
}
