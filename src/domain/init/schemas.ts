/** The JSON Schemas, and the files that each describes. */
import { manifestNames } from '../compose/choose.ts'
import { jsonSchema } from '../compose/json-schema.ts'
import { composeNames } from '../compose/known-files.ts'
import { manifestSchema } from '../manifest/json-schema.ts'
import { printJson } from '../print/json.ts'
import type { SchemaForm } from './schema-forms.ts'

/** `files`: patterns in the syntax of editors. */
const all = {
  compose: {
    name: 'compose.schema.json',
    files: [...composeNames, 'compose.*.y*ml', 'docker-compose.*.y*ml'],
    schema: jsonSchema,
  },
  manifest: { name: 'devtool.schema.json', files: manifestNames, schema: manifestSchema },
} as const

/** `version`: that of devtool. */
export const schemaText = (form: SchemaForm, version: string): string =>
  printJson({ $comment: `devtool ${version}`, ...all[form].schema() })

/** `name`: the file name of the schema. */
export const schemaFiles = (
  forms: ReadonlyArray<SchemaForm>,
  version: string,
): ReadonlyArray<{ readonly name: string; readonly files: ReadonlyArray<string>; readonly text: string }> =>
  forms.map((form) => ({ name: all[form].name, files: all[form].files, text: schemaText(form, version) }))
