/** What a command tells programs: one document that begins with `schema: 1`. */
import { printJson } from '../../domain/print/json.ts'
import type { Value } from '../../domain/print/value.ts'
import { printYaml } from '../../domain/print/yaml.ts'
import type { DataForm } from './forms.ts'

/** Adding a key is no break, so the schema stays 1. */
export const printData = (
  form: Exclude<DataForm, 'text'>,
  data: { readonly [key: string]: Value | undefined },
): string => {
  const document = { schema: 1, ...data }
  return form === 'json' ? printJson(document) : printYaml(document)
}
