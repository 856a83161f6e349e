/** Settings of VS Code for a folder, which make its YAML extension check files against schemas. */
import * as E from 'fp-ts/lib/Either.js'
import { applyEdits, modify, type ParseError, parse, stripComments } from 'jsonc-parser'
import { isObject, type Json } from '../cluster/json.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { source } from '../text/source.ts'

export const EDITOR_FOLDER = '.vscode'
export const SETTINGS_FILE = 'settings.json'

const path = `${EDITOR_FOLDER}/${SETTINGS_FILE}`

const formattingOptions = { insertSpaces: true, tabSize: 2 }

type Fault = Pick<ParseError, 'offset' | 'length'>

const beginning: Fault = { offset: 0, length: 1 }

/** Where the text is not an object, or its `yaml.schemas` is not. */
const faultIn = (text: string): Fault | undefined => {
  const errors: Array<ParseError> = []
  const settings: Json = parse(text, errors, { allowTrailingComma: true })
  const { 'yaml.schemas': schemas = {} } = isObject(settings) ? settings : { 'yaml.schemas': null }
  return errors[0] ?? (isObject(schemas) ? undefined : beginning)
}

/** Some editors begin a file with it. */
const MARK = '\uFEFF'

/** Comments of a file without any settings stay at the top. */
const withObject = (text: string): string => {
  if (stripComments(text).trim() !== '') return text
  const top = text.trimEnd()
  return top === '' ? '{}\n' : `${top}\n{}\n`
}

/**
 * Assigns each schema to its files: `schemas` maps the path of a schema to patterns of files. Other settings, comments
 * and the layout stay. Finds DT2008.
 */
export const withSchemas = (
  given: string,
  schemas: ReadonlyMap<string, ReadonlyArray<string>>,
): E.Either<Diagnostic, string> => {
  const mark = given.startsWith(MARK) ? MARK : ''
  const text = given.slice(mark.length)
  const before = withObject(text)
  const refused = ({ length, offset }: Fault): Diagnostic => {
    const at = { source: source(path, '.', text), start: offset, end: offset + length }
    const help = 'fix it and run the command again; nothing was written'
    return error('DT2008', `${path} is not JSON with comments, or its yaml.schemas are no object`, { at, help })
  }
  const withOne = (changed: string, [schema, files]: readonly [string, ReadonlyArray<string>]): string =>
    applyEdits(changed, modify(changed, ['yaml.schemas', schema], files, { formattingOptions }))
  // The parser throws on values that are nested too deeply, and on a key with different kinds of values.
  return E.flatten(
    E.tryCatch(
      () => {
        const fault = faultIn(before)
        return fault === undefined ? E.right(mark + [...schemas].reduce(withOne, before)) : E.left(refused(fault))
      },
      () => refused(beginning),
    ),
  )
}
