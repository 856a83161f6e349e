/** The JSON Schemas that `schema` prints. */
import { jsonSchema } from '../../domain/compose/json-schema.ts'
import { manifestSchema } from '../../domain/manifest/json-schema.ts'
import { printJson } from '../../domain/print/json.ts'

export const schemaText = (form: 'compose' | 'manifest'): string =>
  printJson(form === 'compose' ? jsonSchema() : manifestSchema())
