/** JSON Schema (2020-12, as OpenAPI 3.1 uses it) of the codecs of the API. */
import type * as t from 'io-ts'
import type { JsonObject } from '../../cluster/json.ts'
import type { Rows } from '../../print/document.ts'
import type { AnyKeys } from './route.ts'
import type { Described } from './values.ts'

/** All kinds of codecs that routes consist of. */
type Known =
  | t.StringType
  | t.NumberType
  | t.BooleanType
  | t.ReadonlyArrayType<t.Mixed>
  | t.KeyofType<Readonly<Record<string, unknown>>>

const isKnown = (codec: object): codec is Known => '_tag' in codec
const isKeys = (codec: object): codec is AnyKeys => 'required' in codec && 'optional' in codec
const isDescribed = (codec: object): codec is Described<unknown> => 'schema' in codec

const ofRows = (rows: Rows): JsonObject =>
  Object.fromEntries(
    Object.entries(rows).map(([name, [codec, about]]) => [name, { ...schemaOf(codec), description: about }]),
  )

/** `{}`, which accepts anything, for a codec of another kind. */
export const schemaOf = (codec: object): JsonObject => {
  if (isDescribed(codec)) return codec.schema
  if (isKeys(codec)) {
    const { optional, required } = codec
    const properties = { ...ofRows(required), ...ofRows(optional) }
    const names = Object.keys(required)
    return { type: 'object', properties, ...(names.length === 0 ? {} : { required: names }) }
  }
  if (!isKnown(codec)) return {}
  switch (codec._tag) {
    case 'StringType':
      return { type: 'string' }
    case 'NumberType':
      return { type: 'number' }
    case 'BooleanType':
      return { type: 'boolean' }
    case 'ReadonlyArrayType':
      return { type: 'array', items: schemaOf(codec.type) }
    case 'KeyofType':
      return { type: 'string', enum: Object.keys(codec.keys) }
  }
}
