/** `extends`: a service built on a service of the same or another file (Compose Specification, "extends"). */

import { error } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { unknownKeys } from '../shape/field.ts'
import { cycleText } from '../text/cycle.ts'
import { folderOf, pathWritten } from '../text/path.ts'
import { didYouMean } from '../text/suggest.ts'
import { exhaust, isSpent } from '../yaml/budget.ts'
import { get, isNull, type Mapping, type Node, type Scalar } from '../yaml/node.ts'
import { type Assembling, count, type FileScope, readTree } from './assembling.ts'
import { mergeNodes } from './merge.ts'

/** A longer chain is a mistake; following it would overflow the stack. */
export const longestExtends = 500

/** A file whose services may be extended. */
export type ExtendedFile = { readonly path: string; readonly folder: string; readonly root: Mapping }

type Target = { readonly service: string; readonly file?: Scalar; readonly at: Node }

export const readTarget = (assembling: Assembling, node: Node): Target | undefined => {
  if (node._tag === 'Scalar' && !isNull(node)) return { service: node.text, at: node }
  const [service, file] = [get(node, 'service'), get(node, 'file')]
  for (const one of unknownKeys(node, ['service', 'file'], 'extends')) assembling.found.push(one)
  if (service?._tag === 'Scalar' && (file === undefined || file._tag === 'Scalar')) {
    return { service: service.text, at: service, ...defined({ file }) }
  }
  assembling.found.push(
    error('DT1002', 'extends takes a service name, or a mapping with service and file', { at: node }),
  )
  return undefined
}

export const originOf = (
  assembling: Assembling,
  from: ExtendedFile,
  target: Target,
  scope: FileScope,
): ExtendedFile | undefined => {
  if (target.file === undefined) return from
  const path = pathWritten(target.at, target.file.text)
  if (path === from.path) return from
  const folder = folderOf(path)
  const root = readTree(assembling, { path, folder, at: target.file }, scope)
  return root === undefined ? undefined : { path, folder, root }
}

/** What the service says of another, if it extends one. */
export const extendsOf = (service: Node): Node | undefined => {
  const written = get(service, 'extends')
  return written === undefined || written.tag === 'reset' || isNull(written) ? undefined : written
}

const withoutExtends = (service: Mapping): Mapping => ({
  ...service,
  entries: service.entries.filter((entry) => entry.key.text !== 'extends'),
})

/** The root with every service complete. Finds DT1015 (cycle), DT1016 (no such service), DT1007 and DT1008 (file). */
export const resolveExtends = (assembling: Assembling, origin: ExtendedFile, scope: FileScope): Mapping => {
  const services = get(origin.root, 'services')
  if (services?._tag !== 'Mapping') return origin.root
  const resolved = new Map<string, Node | undefined>()
  const byName = new Map<Mapping, ReadonlyMap<string, Node>>()

  const servicesIn = (root: Mapping): ReadonlyMap<string, Node> => {
    const known = byName.get(root)
    if (known !== undefined) return known
    const there = get(root, 'services')
    const entries = there?._tag === 'Mapping' ? there.entries : []
    const found = new Map(entries.map(({ key, value }) => [key.text, value]))
    byName.set(root, found)
    return found
  }

  const resolve = (from: ExtendedFile, name: string, service: Node, chain: ReadonlyArray<string>): Node | undefined => {
    const written = extendsOf(service)
    if (written === undefined || service._tag !== 'Mapping' || isSpent(assembling.files.budget)) return service
    const key = `${from.path}\0${name}`
    if (resolved.has(key)) return resolved.get(key)
    const target = readTarget(assembling, written)
    const base = target === undefined ? undefined : baseOf(from, target, [...chain, key])
    const result = base === undefined ? service : mergeNodes('services.*', base, withoutExtends(service))
    if (result !== service) count(assembling, result)
    resolved.set(key, result)
    return result
  }

  const baseOf = (from: ExtendedFile, target: Target, chain: ReadonlyArray<string>): Node | undefined => {
    const into = originOf(assembling, from, target, scope)
    if (into === undefined) return undefined
    const there = servicesIn(into.root)
    const base = there.get(target.service)
    if (base === undefined) {
      assembling.found.push(
        error('DT1016', `extends: there is no service "${target.service}" in ${into.path}`, {
          at: target.at,
          help: () => didYouMean(target.service, there, 'check the name and the file'),
        }),
      )
      return undefined
    }
    const key = `${into.path}\0${target.service}`
    if (chain.includes(key)) {
      const names = chain.map((k) => k.slice(k.indexOf('\0') + 1))
      const ring = cycleText(names, chain.indexOf(key))
      assembling.found.push(error('DT1015', `circular extends: ${ring}`, { at: target.at }))
      return undefined
    }
    if (chain.length >= longestExtends) {
      exhaust(assembling.files.budget)
      assembling.found.push(error('DT1006', `extends chains more than ${longestExtends} services`, { at: target.at }))
      return undefined
    }
    return resolve(into, target.service, base, chain)
  }

  const isExtending = services.entries.some((entry) => get(entry.value, 'extends') !== undefined)
  if (!isExtending) return origin.root
  const entries = services.entries.map((entry) => ({
    key: entry.key,
    value: resolve(origin, entry.key.text, entry.value, []) ?? entry.value,
  }))
  const complete: Mapping = { ...services, entries }
  return {
    ...origin.root,
    entries: origin.root.entries.map((entry) =>
      entry.key.text === 'services' ? { ...entry, value: complete } : entry,
    ),
  }
}
