/** YAML as plain data, read by three parsers that must agree: ours, `yaml` and js-yaml. Mappings are `Map`s. */
import { CORE_SCHEMA, loadAll, realMapTag } from 'js-yaml'
import { parseAllDocuments } from 'yaml'
import * as C from '../../../src/domain/checked.ts'
import { isList, isMap, type Value } from '../../../src/domain/print/value.ts'
import { source } from '../../../src/domain/text/source.ts'
import { kindOf, type Node } from '../../../src/domain/yaml/node.ts'
import { readYaml } from '../../../src/domain/yaml/read.ts'

/** A scalar of the core schema, as in JSON. */
const scalarOf = (node: Extract<Node, { readonly _tag: 'Scalar' }>): unknown => {
  const { text } = node
  switch (kindOf(node)) {
    case 'null':
      return null
    case 'boolean':
      return /^t/i.test(text)
    case 'integer':
      return /^0[ox]/.test(text) ? Number(text) : Number.parseInt(text, 10)
    case 'number':
      if (/inf$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
      return /nan$/i.test(text) ? Number.NaN : Number(text)
    case 'string':
    case 'list':
    case 'mapping':
      return text
  }
}

/** The data of a tree, scalars by the core schema. */
export const plain = (node: Node): unknown => {
  if (node._tag === 'Scalar') return scalarOf(node)
  if (node._tag === 'Sequence') return node.items.map(plain)
  return new Map(node.entries.map(({ key, value }) => [key.text, plain(value)]))
}

/** `undefined` if the text is rejected. */
export const readOurs = (text: string): ReadonlyArray<unknown> | undefined => {
  const read = readYaml(source('compose.yaml', '.', text))
  return C.hasErrors(C.findings(read)) ? undefined : C.valueOf(read)?.map((node) => textKeys(plain(node)))
}

/** Keys are strings in Compose, whatever their YAML type: numbers and words as written. */
const textKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(textKeys)
  if (!(value instanceof Map)) return Object.is(value, -0) ? 0 : value
  return new Map(Array.from(value, ([key, member]) => [String(key), textKeys(member)]))
}

/** With merge keys, and without duplicate keys; a merge of anything but mappings fails only when it is read. */
export const readPackageYaml = (text: string): ReadonlyArray<unknown> | undefined => {
  const documents = parseAllDocuments(text, { version: '1.2', merge: true, uniqueKeys: true, logLevel: 'silent' })
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return undefined
  try {
    return documents.map((document) => textKeys(document.toJS({ mapAsMap: true, maxAliasCount: 100_000 })))
  } catch {
    return undefined
  }
}

const core = CORE_SCHEMA.withTags(realMapTag)

/** Without merge keys, for our own output. */
export const readJsYaml = (text: string): ReadonlyArray<unknown> => loadAll(text, { schema: core }).map(textKeys)

/** Our value in the form of the parsers: mappings are `Map`s, undefined members are missing. */
export const toPlain = (value: Value): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(toPlain)
  const entries = [...(isMap(value) ? value : new Map(Object.entries(value)))]
  return new Map(entries.flatMap(([key, member]) => (member === undefined ? [] : [[key, toPlain(member)] as const])))
}
