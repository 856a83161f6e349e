/** Variables of a container: `env_file` in order, then `environment`, which overrides them even with empty values. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import type { Pair, ValueOf } from '../../shape/shape.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type { service } from '../fields/service.ts'
import type { ServiceVariable } from '../model.ts'
import { type Variable, variablesFrom } from '../variables.ts'
import type { ReadEnvFile } from './env-file.ts'

type RawService = ValueOf<typeof service>['value']

/** The names that every supported Kubernetes version accepts; since 1.32 all printable ASCII except `=` is allowed. */
const strictName = /^[A-Za-z_.-][A-Za-z0-9_.-]*$/
const laxName = /^[\x21-\x3c\x3e-\x7e]+$/

const nameFindings = ({ name, at, path }: ServiceVariable): ReadonlyArray<Diagnostic> => {
  if (strictName.test(name)) return []
  if (laxName.test(name)) {
    return [warning('DT1111', `Kubernetes before 1.32 rejects the variable name "${name}"`, { at, path })]
  }
  const why = name === '' ? 'a variable has no name' : `"${name}" cannot be the name of a variable`
  const help = /^\S+$/.test(name)
    ? 'use letters from A to Z, digits and _'
    : 'write NAME=value, without spaces around the name'
  return [error('DT1028', why, { at, path, help })]
}

/** A name without a value takes the value of this machine's variable, or is not set at all. */
const ofPair =
  (variables: Variables) =>
  ({ name, value, at, path }: Pair): ReadonlyArray<ServiceVariable> => {
    const known = value ?? variables(name)
    return known === undefined ? [] : [{ name, value: known, at, path }]
  }

const ofVariable = ({ name, value, at }: Variable): ReadonlyArray<ServiceVariable> =>
  value === undefined ? [] : [{ name, value, at, path: name }]

/** The variables of all env files. A file can refer to variables of the service and of earlier files. */
const readEnvFiles = (
  raw: Pick<RawService, 'env_file'>,
  own: ReadonlyMap<string, string>,
  readEnvFile: ReadEnvFile,
): Checked<ReadonlyArray<Variable>> => {
  const before = new Map<string, string>()
  const files = C.each((item: Parameters<ReadEnvFile>[0]) => {
    const read = readEnvFile(item, { own: variablesFrom(own), before: variablesFrom(before) })
    for (const { name, value } of C.valueOf(read) ?? []) if (value !== undefined) before.set(name, value)
    return read
  })(raw.env_file?.value ?? [])
  return C.map((lists: ReadonlyArray<ReadonlyArray<Variable>>) => lists.flat())(files)
}

/** Each name once, at its first position. Finds DT1028; warns DT1111. */
export const readEnvironment = (
  raw: Pick<RawService, 'env_file' | 'environment'>,
  variables: Variables,
  readEnvFile: ReadEnvFile,
): Checked<ReadonlyArray<ServiceVariable>> => {
  const pairs = [...new Map((raw.environment?.value ?? []).map((pair) => [pair.name, pair])).values()]
  const written = pairs.flatMap(ofPair(variables))
  const isWhole = raw.env_file === undefined && written.length === pairs.length
  if (isWhole) return C.note(written, written.flatMap(nameFindings))
  const own = new Map(written.map(({ name, value }) => [name, value]))
  return C.andThen((files: ReadonlyArray<Variable>) => {
    const unset = new Set(pairs.filter(({ name }) => !own.has(name)).map(({ name }) => name))
    const all = [...files.flatMap(ofVariable), ...written]
    const byName = new Map(all.filter(({ name }) => !unset.has(name)).map((v) => [v.name, v]))
    const bare = pairs.filter(({ name }) => unset.has(name))
    const named = [...byName.values(), ...bare.map((pair) => ({ ...pair, value: '' }))]
    return C.note([...byName.values()], named.flatMap(nameFindings))
  })(readEnvFiles(raw, own, readEnvFile))
}
