/** `env_file` of a service: each file is parsed once, even if several services name it. */
import { pipe } from 'fp-ts/lib/function.js'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { error } from '../../diagnostic/diagnostic.ts'
import { as, choose } from '../../shape/parse.ts'
import type { ValueOf } from '../../shape/shape.ts'
import { pathWritten } from '../../text/path.ts'
import { source } from '../../text/source.ts'
import { isSpent } from '../../yaml/budget.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type { serviceFields } from '../fields/service.ts'
import { contentFault, textContent } from '../file-content.ts'
import type { Files } from '../files.ts'
import {
  countVariables,
  isClosed,
  layered,
  readVariableFile,
  type Variable,
  type VariableFile,
  variablesOf,
} from '../variables.ts'

type Raw = ValueOf<(typeof serviceFields)['env_file']['shape']>
type EnvFileItem = Raw['value'][number]

/** `own`: of the service. `before`: of the env files before this one. */
type EnvFileContext = { readonly own: Variables; readonly before: Variables }

/**
 * The variables of one env file. Variables in its values are of the project, or else of the service, of lines above, or
 * of the files before it. Finds DT1007, DT1008, DT1018, DT1027; warns DT1011.
 */
export type ReadEnvFile = (item: EnvFileItem, context: EnvFileContext) => Checked<ReadonlyArray<Variable>>

const formats = { '': 'dotenv', dotenv: 'dotenv', raw: 'raw' } as const

export const envFileReader = (files: Files, variables: Variables): ReadEnvFile => {
  const parsed = new Map<string, Checked<VariableFile>>()
  const closed = new Map<VariableFile, Checked<ReadonlyArray<Variable>>>()
  return (item, { before, own }) => {
    const long = typeof item.value === 'string' ? { path: as(item.value, item) } : item.value
    const { path: written } = long
    if (written === undefined)
      return C.fail(error('DT1002', 'an env file needs a path', { at: item.at, path: item.path }))
    const path = pathWritten(written.at, written.value)
    const content = files.want(path)
    if (content === undefined || isSpent(files.budget)) return C.ok([])
    if (content._tag === 'Missing' && 'required' in long && long.required && !long.required.value) return C.ok([])
    const fault = contentFault(path, content, written.at)
    if (fault !== undefined) return C.fail(fault)
    const format =
      'format' in long && long.format !== undefined
        ? choose('format', formats)(long.format)
        : C.ok(as('dotenv' as const, item))
    return pipe(
      format,
      C.andThen(({ value }) => {
        const key = `${value} ${path}`
        const read =
          parsed.get(key) ??
          C.andThen((text: string) => readVariableFile(source(path, '.', text), value))(
            textContent(path, content, written.at),
          )
        parsed.set(key, read)
        return read
      }),
      C.andThen((file) => {
        const read = closed.get(file) ?? variablesOf(file, layered(variables, own), before)
        if (!closed.has(file) && isClosed(file)) closed.set(file, read)
        return countVariables(files.budget, read, written.at)
      }),
    )
  }
}
