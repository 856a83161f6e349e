/** Reads and writes devtool's own JSON files. Unknown members are kept: a newer version may have written them. */
import * as E from 'fp-ts/lib/Either.js'
import { isObject, type JsonObject, numberAt, parsedJson } from '../cluster/json.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { jsonFault } from '../text/json-fault.ts'
import { source } from '../text/source.ts'

const help = 'the file was not changed: repair it, or move it away'

/** DT2105 with the place, but never the text, which may contain a token. */
const damaged = (file: string, text: string): Diagnostic => {
  const fault = jsonFault(text) ?? { message: 'it is not valid JSON', start: 0, end: 0 }
  const { end, message, start } = fault
  return error('DT2105', `${file} is damaged: ${message}`, { at: { source: source(file, '', text), start, end }, help })
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '')

/**
 * The object in `text`, in which the member `holds` is an object. A missing or blank file is empty. Fails with DT2105
 * about `file`.
 */
export const readOwnFile = (
  file: string,
  text: string | undefined,
  holds: string,
): E.Either<Diagnostic, { readonly root: JsonObject; readonly members: JsonObject }> => {
  const content = withoutMark(text ?? '')
  if (content.trim() === '') return E.right({ root: {}, members: {} })
  const root = parsedJson(content)
  if (root === undefined) return E.left(damaged(file, content))
  if (!isObject(root)) return E.left(error('DT2105', `${file} is damaged: it does not contain a JSON object`, { help }))
  const members = root[holds]
  if (members === undefined) return E.right({ root, members: {} })
  return isObject(members)
    ? E.right({ root, members })
    : E.left(error('DT2105', `${file} is damaged: "${holds}" is not a JSON object`, { help }))
}

/** `schema` comes first; that of a newer version is kept, since its additions are kept as well. */
export const printOwnFile = (root: JsonObject): string => {
  const { schema: _schema, ...rest } = root
  const schema = Math.max(1, numberAt(root, 'schema') ?? 1)
  return `${JSON.stringify({ schema, ...rest }, undefined, 2)}\n`
}
