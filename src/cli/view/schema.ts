/** `schema`: the JSON Schema of a kind of file. */
import { jsonSchema } from '../../domain/compose/json-schema.ts'
import { manifestSchema } from '../../domain/manifest/json-schema.ts'
import { printJson } from '../../domain/print/json.ts'

export const showSchema = (form: 'compose' | 'manifest'): string =>
  printJson(form === 'compose' ? jsonSchema() : manifestSchema())
