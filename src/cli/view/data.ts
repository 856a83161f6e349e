/** A document as JSON or YAML. */
import { type Document, encode } from '../../domain/print/document.ts'
import { printJson, printJsonLine } from '../../domain/print/json.ts'
import type { Value } from '../../domain/print/value.ts'
import { printYaml } from '../../domain/print/yaml.ts'

export const isData = (form: string): form is 'json' | 'yaml' => form === 'json' || form === 'yaml'

export const printData = <A extends { readonly [key: string]: Value | undefined }>(
  form: 'json' | 'yaml',
  document: Document<A>,
  data: A,
): string => {
  const printed = encode(document, data)
  return form === 'json' ? printJson(printed) : printYaml(printed)
}

/** A document as one line of JSON. */
export const printDataLine = <A extends { readonly [key: string]: Value | undefined }>(
  document: Document<A>,
  data: A,
): string => printJsonLine(encode(document, data))
