/** Code shared by the sections of a manifest: names, quantities, durations, ports. */
import * as E from 'fp-ts/lib/Either.js'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import { parse } from '../../shape/parse.ts'
import type { Located, ShapeMember } from '../../shape/shape.ts'
import { dnsLabel, isDnsLabel } from '../../text/dns-name.ts'
import { readDuration } from '../../text/duration.ts'
import { fail } from '../../text/fault.ts'
import { readQuantity } from '../../text/quantity.ts'
import type { NamedValue, Placed } from '../../text/written.ts'
import type { Scalar } from '../../yaml/node.ts'

/**
 * By path of the member: names become parts of object names and variables. Finds DT1504 (two with the same name); warns
 * DT1103.
 */
export const legalNames = (
  section: string,
  members: ReadonlyArray<{ readonly key: Scalar }>,
): Checked<ReadonlyMap<string, string>> => {
  const found: Array<Diagnostic> = []
  const taken = new Map<string, Scalar>()
  const names = new Map<string, string>()
  for (const { key } of members) {
    const name = isDnsLabel(key.text) ? key.text : dnsLabel(key.text)
    const path = `${section}.${key.text}`
    const before = taken.get(name)
    if (before !== undefined) {
      const related = [{ at: before, message: `"${before.text}" is here` }]
      const message = `"${before.text}" and "${key.text}" both become ${name}`
      found.push(error('DT1504', message, { at: key, path, help: 'rename one of them', related }))
      continue
    }
    taken.set(name, key)
    names.set(path, name)
    if (name !== key.text) {
      found.push(warning('DT1103', `"${key.text}" is not a DNS label, so ${name} is used`, { at: key, path }))
    }
  }
  return C.note(names, found)
}

/** A mapping that lacks a required field, or has one too many. */
export const incomplete = (message: string, { at, path }: Placed, help?: string): Diagnostic =>
  error('DT1511', message, { at, path, help })

const withSeconds = (text: string) => readDuration(/^\d+$/.test(text) ? `${text}s` : text)

/** Milliseconds, more than 0; a number without unit counts seconds. Finds DT1019. */
export const readTimeout = (written: Located<string>): Checked<Located<number>> =>
  parse(
    'DT1019',
    (text) => {
      const read = withSeconds(text)
      return E.isRight(read) && read.right === 0 ? fail('the time must be more than 0', 0, text.length) : read
    },
    'write a duration such as 90s or 5m',
  )(written)

/** A Kubernetes quantity. Values that only a running deploy knows are not checked. Finds DT1022. */
export const quantityOf = (written: Located<string>): Checked<Located<string>> =>
  written.value.includes('$')
    ? C.ok(written)
    : C.map(() => written)(parse('DT1022', readQuantity, 'write a Kubernetes quantity such as 250m or 512Mi')(written))

type Quantities = Located<ReadonlyArray<ShapeMember<Located<string>>>>

export const quantitiesOf = (raw: Quantities | undefined): Checked<ReadonlyArray<NamedValue>> =>
  C.each(({ key, value }: Quantities['value'][number]) =>
    C.map(
      (quantity: Located<string>): NamedValue => ({ name: key.text, value: quantity.value, at: key, path: value.path }),
    )(quantityOf(value)),
  )(raw?.value ?? [])

/** Items that repeat an earlier one. */
export const repeated = <A>(items: ReadonlyArray<A>, identity: (item: A) => string): ReadonlyArray<A> => {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = identity(item)
    const isSeen = seen.has(key)
    seen.add(key)
    return isSeen
  })
}
