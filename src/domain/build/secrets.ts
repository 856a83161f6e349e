/** Secrets and SSH keys of a build: only where they are, never their content. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { error } from '../diagnostic/diagnostic.ts'
import { fromHome, resolvePath } from '../text/path.ts'
import type { Variables } from '../yaml/interpolate.ts'
import { csvPairs } from './csv.ts'
import type { BuildSecret, Image } from './image.ts'
import type { Solve } from './solve.ts'

type Source = Pick<BuildSecret, 'id'> & { readonly file?: string; readonly variable?: string }
type Secret = Solve['secrets'][number]

const KEYS = ['id', 'type', 'src', 'source', 'env']

/**
 * `id=ID,src=FILE` or `id=ID,env=VARIABLE`; a bare id means the variable of that name, or else a file. Finds DT2001.
 */
export const readSecretFlag = (text: string): Checked<Source> => {
  const pairs = csvPairs(text)
  const type = pairs?.get('type')
  const [id = '', path, env] = [pairs?.get('id'), pairs?.get('src') ?? pairs?.get('source'), pairs?.get('env')]
  const isKnown = pairs !== undefined && [...pairs.keys()].every((key) => KEYS.includes(key))
  const isTyped = type === undefined || type === 'file' || type === 'env'
  const isOne = (path === undefined || env === undefined) && path !== '' && env !== ''
  if (!isKnown || !isTyped || !isOne || id === '') {
    const help = 'write --secret id=ID,src=FILE or --secret id=ID,env=VARIABLE'
    return C.fail(
      error('DT2001', `--secret: the value${id === '' ? '' : ` for "${id}"`} is not a valid build secret`, {
        help,
      }),
    )
  }
  const variable = type === 'env' ? (env ?? path ?? id) : env
  if (variable !== undefined) return C.ok({ id, variable })
  return C.ok({ id, ...(path === undefined && type !== 'file' ? {} : { file: path ?? id }) })
}

type Facts = {
  readonly cwd: string
  readonly variables: Variables
  readonly flags: { readonly secrets: ReadonlyArray<string> }
}
type SecretPlace = Partial<Pick<BuildSecret, 'at' | 'path'>>

const ofVariable = (id: string, variable: string, { variables }: Facts, place: SecretPlace): Checked<Secret> => {
  const value = variables(variable)
  if (value !== undefined) return C.ok({ id, source: { _tag: 'Value', value } })
  const message = `the variable ${variable} of the secret "${id}" is not set`
  return C.fail(error('DT4015', message, { ...place, help: `set ${variable} in the environment` }))
}

const ofFile = (id: string, file: string, { cwd }: Facts): Secret => ({
  id,
  source: { _tag: 'File', file: resolvePath(cwd, file) },
})

const ofFlag = (facts: Facts, { file, id, variable }: Source): Checked<Secret> => {
  if (variable !== undefined) return ofVariable(id, variable, facts, {})
  const isVariable = file === undefined && facts.variables(id) !== undefined
  return isVariable ? ofVariable(id, id, facts, {}) : C.ok(ofFile(id, file ?? id, facts))
}

/** The command line's secrets override those of the file. Finds DT4015, DT4031; whether files exist is not checked. */
export const secretsOf = ({ secrets }: Pick<Image, 'secrets'>, facts: Facts): Checked<ReadonlyArray<Secret>> => {
  const flags = C.each((text: string) => C.andThen((source: Source) => ofFlag(facts, source))(readSecretFlag(text)))(
    facts.flags.secrets,
  )
  const given = new Set((C.valueOf(flags) ?? []).map(({ id }) => id))
  const own = C.each((secret: BuildSecret): Checked<Secret> => {
    const { at, id, path } = secret
    return secret._tag === 'File'
      ? C.ok(ofFile(id, secret.file, facts))
      : ofVariable(id, secret.variable, facts, { at, path })
  })(secrets.filter(({ id }) => !given.has(id)))
  const both = C.struct({ own, flags })
  return C.map(({ flags: more = [], own: ones = [] }: C.ValueIn<typeof both>) => [
    ...new Map([...ones, ...more].map((secret) => [secret.id, secret])).values(),
  ])(both)
}

/** Absolute paths; none means the SSH agent. */
export const keysOf = (
  { ssh }: Pick<Image, 'ssh'>,
  { cwd, variables }: Pick<Facts, 'cwd' | 'variables'>,
): Solve['ssh'] =>
  ssh.map(({ name, value = '' }) => ({
    id: name === '' ? 'default' : name,
    paths: value
      .split(',')
      .filter((path) => path !== '')
      .map((path) => resolvePath(cwd, fromHome(variables('HOME'), path))),
  }))
