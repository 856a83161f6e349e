/**
 * The dialect as a JSON Schema for editors: draft 7, which all of them support. It is generated from the table of
 * fields, so the schema accepts what the reader accepts, and both know the same keys.
 */
import { defined } from '../object/defined.ts'
import { printJsonLine } from '../print/json.ts'
import { isList, isMap, type Value } from '../print/value.ts'
import { type JsonSchema, oneOrMore, pairs, text, textOrNumber } from '../shape/shape.ts'
import { document } from './fields/document.ts'
import { service } from './fields/service.ts'
import { configShape, fileReferences, namedVolumeShape, networkShape, secretShape } from './fields/volumes.ts'

/** Definitions that are written once and referenced. */
export const composeParts: Readonly<Record<string, JsonSchema>> = {
  service: service.schema,
  volume: namedVolumeShape.schema,
  network: networkShape.schema,
  config: configShape.schema,
  secret: secretShape.schema,
  fileReferences: fileReferences.schema,
  pairs: pairs().schema,
  texts: oneOrMore(text).schema,
  words: oneOrMore(textOrNumber).schema,
}

type Names = ReadonlyMap<string, string>

const isObject = (value: Value | undefined): value is JsonSchema =>
  typeof value === 'object' && value !== null && !isList(value) && !isMap(value)

const mapped = (value: Value | undefined, f: (schema: JsonSchema) => JsonSchema): Value | undefined => {
  if (value === undefined) return undefined
  if (isMap(value)) return new Map([...value].map(([key, member]) => [key, isObject(member) ? f(member) : member]))
  if (isList(value)) return value.map((member) => (isObject(member) ? f(member) : member))
  return isObject(value) ? f(value) : value
}

/** The schema, with shared parts replaced by references. */
const referred = (names: Names, schema: JsonSchema): JsonSchema => {
  const name = names.get(printJsonLine(schema))
  return name === undefined ? inside(names, schema) : { $ref: `#/definitions/${name}` }
}

const inside = (names: Names, schema: JsonSchema): JsonSchema => {
  const again = (part: JsonSchema): JsonSchema => referred(names, part)
  const { properties, items, additionalProperties, anyOf, oneOf } = schema
  return {
    ...schema,
    ...defined({
      properties: mapped(properties, (part) => member(names, part)),
      items: mapped(items, again),
      additionalProperties: mapped(additionalProperties, again),
      anyOf: mapped(anyOf, again),
      oneOf: mapped(oneOf, again),
    }),
  }
}

/** A key without a value counts as absent, so members of a mapping with known keys may be null. */
const nullable = (schema: JsonSchema): JsonSchema => {
  const { type, anyOf } = schema
  if (typeof type === 'string' && type !== 'object' && type !== 'array') return { ...schema, type: [type, 'null'] }
  if (type !== undefined && isList(type)) return { ...schema, type: [...type, 'null'] }
  if (anyOf !== undefined && isList(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
}

const member = (names: Names, { description, ...rest }: JsonSchema): JsonSchema => ({
  ...defined({ description }),
  ...nullable(referred(names, rest)),
})

/** `parts` are defined once, wherever they occur in `root`. */
export const schemaOf = (
  about: { readonly title: string; readonly description: string },
  root: JsonSchema,
  parts: Readonly<Record<string, JsonSchema>>,
): { readonly [key: string]: Value } => {
  const names = new Map(Object.entries(parts).map(([name, schema]) => [printJsonLine(schema), name]))
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...about,
    ...inside(names, root),
    definitions: new Map(Object.entries(parts).map(([name, schema]) => [name, inside(names, schema)])),
  }
}

/** To an editor a value with a variable is a string, so strings are accepted wherever a number is expected. */
export const jsonSchema = (): { readonly [key: string]: Value } =>
  schemaOf(
    {
      title: 'Compose file for devtool',
      description: 'The Compose files that devtool translates to Kubernetes manifests.',
    },
    document.schema,
    composeParts,
  )
