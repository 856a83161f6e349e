/** Merges findings that say the same: a reader needs the sentence once, and all its places. */

import { grouped } from '../object/grouped.ts'
import { listed } from '../text/listed.ts'
import type { Place } from '../text/source.ts'
import { type Diagnostic, lost, type Severity } from './diagnostic.ts'

type Related = NonNullable<Diagnostic['related']>[number]

const keyOf = (at: Place): string => `${at.line}:${at.col}-${at.endLine}:${at.endCol}`

/** The message without the field it is about, and without the name of the service that the field belongs to. */
const sentenceOf = ({ message, path }: Diagnostic): string => {
  if (path === undefined || !message.startsWith(`${path}: `)) return message
  const isOwn = (name: string): boolean => `${path}.`.startsWith(`services.${name}.`)
  return message.slice(path.length + 2).replace(/"([^"]*)"/g, (quoted, name: string) => (isOwn(name) ? '""' : quoted))
}

const serviceOf = ({ path = '' }: Diagnostic): string => /^services\.([^.[]+)/.exec(path)?.[1] ?? path

const more = (count: number, what: string): string =>
  count === 0 ? '' : ` (and ${count} more ${what}${count === 1 ? '' : 's'})`

/** `key` decides which findings are one; `join` makes one of at least two. */
const merged = (
  found: ReadonlyArray<Diagnostic>,
  key: (d: Diagnostic, at: Place) => string | undefined,
  join: (first: Diagnostic, others: ReadonlyArray<Diagnostic>) => Diagnostic,
): ReadonlyArray<Diagnostic> => {
  const groups = grouped<unknown, Diagnostic>(found, (d) => (d.at === undefined ? undefined : key(d, d.at)) ?? d)
  return [...groups.values()].map(([first, ...others]) => (others.length === 0 ? first : join(first, others)))
}

const relatedOf = (all: ReadonlyArray<Diagnostic>): ReadonlyArray<Related> => {
  const byText = new Map(
    all.flatMap(({ related = [] }) => related).map((one) => [`${one.at.file} ${keyOf(one.at)} ${one.message}`, one]),
  )
  return [...byText.values()]
}

const withRelated = (d: Diagnostic, related: ReadonlyArray<Related>): Diagnostic =>
  related.length === 0 ? d : { ...d, related }

/** Keys of one mapping that are ignored for the same reason. */
const ofOneReason = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  merged(
    found,
    (d, at) => {
      const why = d[lost]?.why
      return why === undefined ? undefined : `${d.severity} ${d.code} ${at.file} ${d.path} ${why}`
    },
    (first, others) => {
      const all = [first, ...others]
      const keys = new Set(all.flatMap((d) => d[lost]?.key ?? []))
      const places = others.flatMap(({ at }) => (at === undefined ? [] : [{ at, message: 'here too' }]))
      const message = keys.size === 1 ? first.message : `${first.path}: ${listed([...keys])} have ${first[lost]?.why}`
      return withRelated({ ...first, message }, [...places, ...relatedOf(all)])
    },
  )

/** An anchor or `extends` brings one place into several services. */
const ofOnePlace = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  merged(
    found,
    (d, at) => `${d.severity} ${d.code} ${at.file} ${keyOf(at)} ${sentenceOf(d)}`,
    (first, others) => {
      const services = new Set([first, ...others].map(serviceOf)).size - 1
      const message = `${first.message}${more(services, 'service')}`
      return withRelated({ ...first, message }, relatedOf([first, ...others]))
    },
  )

/** Warnings and notes are reported once per file. */
const ofOneFile = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  merged(
    found,
    (d, at) => (d.severity === 'error' ? undefined : `${d.severity} ${d.code} ${at.file} ${sentenceOf(d)}`),
    (first, others) => {
      const message = `${first.message}${more(others.length, 'place')}`
      const places = others.flatMap(({ at }) => (at === undefined ? [] : [{ at, message: 'here too' }]))
      return withRelated({ ...first, message }, [...places, ...relatedOf([first, ...others])])
    },
  )

const severities: ReadonlyArray<Severity> = ['note', 'warning', 'error']

const worst = (all: ReadonlyArray<Diagnostic>): Severity =>
  severities.findLast((severity) => all.some((d) => d.severity === severity)) ?? 'note'

const mostSentences = 10

/** Findings with the same code at the same place become one. */
const ofOneCode = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  merged(
    found,
    (d, at) => `${d.code} ${at.file} ${at.line}:${at.col}`,
    (first, others) => {
      const all = [first, ...others]
      const said = all.slice(0, mostSentences)
      const texts = said.map(({ message, path }, index) =>
        index > 0 && path !== undefined && path === first.path ? message.replace(`${path}: `, '') : message,
      )
      const message = `${texts.join('; ')}${more(all.length - said.length, 'finding')}`
      const help = [...new Set(said.flatMap((d) => d.help ?? []))].join('; ')
      return withRelated({ ...first, severity: worst(all), message, ...(help === '' ? {} : { help }) }, relatedOf(all))
    },
  )

const placesOf = ({ at, related = [] }: Diagnostic): ReadonlyArray<Place> => [
  ...(at === undefined ? [] : [at]),
  ...related.map((one) => one.at),
]

const isInside = (inner: Place, outer: Place): boolean =>
  inner.file === outer.file &&
  (inner.line > outer.line || (inner.line === outer.line && inner.col >= outer.col)) &&
  (inner.endLine < outer.endLine || (inner.endLine === outer.endLine && inner.endCol <= outer.endCol))

/** If a setting has no effect, findings about what it does, or about its parts, are left out. */
const withoutMoot = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  const key = (d: Diagnostic, at: Place): string => `${d.code} ${serviceOf(d)} ${at.file} ${at.line}:${at.col}`
  const isLoss = (d: Diagnostic): boolean => d[lost] !== undefined
  const moot = new Set(found.filter(isLoss).flatMap((d) => placesOf(d).map((at) => key(d, at))))
  if (moot.size === 0) return found
  const wholes = grouped(
    found.filter(({ [lost]: loss }) => loss !== undefined && loss.key === undefined),
    serviceOf,
  )
  const isPart = (d: Diagnostic, at: Place): boolean =>
    (wholes.get(serviceOf(d)) ?? []).some((whole) => whole !== d && whole.at !== undefined && isInside(at, whole.at))
  return found.filter((d) => {
    if (d.severity === 'error' || d.at === undefined) return true
    return isLoss(d) ? !isPart(d, d.at) : !moot.has(key(d, d.at))
  })
}

/**
 * Findings in file order. Each is reported at its first place, with the other places listed. Law: no two of one code at
 * one place.
 */
export const gathered = (found: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  ofOneCode(ofOneFile(ofOnePlace(ofOneReason(withoutMoot(found)))))
