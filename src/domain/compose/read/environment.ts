/** Variables of a container: `env_file` in order, then `environment`, which overrides them even with empty values. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import type { Pair, ValueOf } from '../../shape/shape.ts'
import { looksLikeCredential } from '../../text/credential.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type { service } from '../fields/service.ts'
import type { ServiceVariable } from '../model.ts'
import type { Variable } from '../variables.ts'
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
  return [error('DT1028', why, { at, path, help: 'write NAME=value, without spaces around the name' })]
}

const secretFindings = ({ name, value, at, path }: ServiceVariable): ReadonlyArray<Diagnostic> =>
  !looksLikeCredential(name, value)
    ? []
    : [
        warning('DT1104', `${name} looks like a credential, and its value appears in the manifests in plain text`, {
          at,
          path,
          help: 'keep it in secrets: and let the program read the file',
        }),
      ]

/** A name without a value takes the value of this machine's variable, or is not set at all. */
const ofPair =
  (variables: Variables) =>
  ({ name, value, at, path }: Pair): ReadonlyArray<ServiceVariable> => {
    const known = value ?? variables(name)
    return known === undefined ? [] : [{ name, value: known, at, path }]
  }

const ofVariable = ({ name, value, at }: Variable): ReadonlyArray<ServiceVariable> =>
  value === undefined ? [] : [{ name, value, at, path: name }]

/** Each name once, at its first position. Finds DT1028; warns DT1104, DT1111. */
export const readEnvironment = (
  raw: RawService,
  variables: Variables,
  readEnvFile: ReadEnvFile,
): Checked<ReadonlyArray<ServiceVariable>> =>
  C.andThen((files: ReadonlyArray<ReadonlyArray<Variable>>) => {
    const pairs = raw.environment?.value ?? []
    const unset = new Set(
      pairs.filter((p) => p.value === undefined && variables(p.name) === undefined).map((p) => p.name),
    )
    const all = [...files.flat().flatMap(ofVariable), ...pairs.flatMap(ofPair(variables))]
    const byName = new Map(all.filter(({ name }) => !unset.has(name)).map((v) => [v.name, v]))
    const bare = pairs.filter(({ name, value }) => value === undefined && unset.has(name))
    const named = [...byName.values(), ...bare.map((pair) => ({ ...pair, value: '' }))]
    const found = named.flatMap((v) => [...nameFindings(v), ...secretFindings(v)])
    return C.note([...byName.values()], found)
  })(C.each(readEnvFile)(raw.env_file?.value ?? []))
