/** `env_file` of a service: each file is read once, even if several services name it. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { error } from '../../diagnostic/diagnostic.ts'
import { as, choose } from '../../shape/parse.ts'
import type { ValueOf } from '../../shape/shape.ts'
import { resolvePath } from '../../text/path.ts'
import { source } from '../../text/source.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type { serviceFields } from '../fields/service.ts'
import { contentFault, type Files, textContent } from '../files.ts'
import { readVariables, type Variable } from '../variables.ts'

type Raw = ValueOf<(typeof serviceFields)['env_file']['shape']>
type Item = Raw['value'][number]

/** The variables of one env file. Finds DT1007, DT1008, DT1018, DT1027. */
export type ReadEnvFile = (item: Item) => Checked<ReadonlyArray<Variable>>

const formats = { dotenv: 'dotenv', raw: 'raw' } as const

export const envFileReader = (files: Files, variables: Variables): ReadEnvFile => {
  const known = new Map<string, Checked<ReadonlyArray<Variable>>>()
  return (item) => {
    const long = typeof item.value === 'string' ? { path: as(item.value, item) } : item.value
    const { path: written } = long
    if (written === undefined)
      return C.fail(error('DT1002', 'an env file needs a path', { at: item.at, path: item.path }))
    const path = resolvePath(written.at.source.folder, written.value)
    const content = files.want(path)
    if (content === undefined) return C.ok([])
    if (content._tag === 'Missing' && 'required' in long && long.required && !long.required.value) return C.ok([])
    const fault = contentFault(path, content, written.at)
    if (fault !== undefined) return C.fail(fault)
    const format =
      'format' in long && long.format !== undefined
        ? choose('format', formats)(long.format)
        : C.ok(as('dotenv' as const, item))
    return C.andThen(({ value }: { readonly value: 'dotenv' | 'raw' }) => {
      const key = `${value} ${path}`
      const read =
        known.get(key) ??
        C.andThen((text: string) => readVariables(source(path, '.', text), variables, value))(
          textContent(path, content, written.at),
        )
      known.set(key, read)
      return read
    })(format)
  }
}
