/**
 * Settings given by flags or variables. A flag takes precedence; an invalid value is reported with the flag or variable
 * it came from.
 */
import { pipe } from 'fp-ts/lib/function.js'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { HostFilesChoice } from '../../domain/compose/read/host-files.ts'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { DeployTarget } from '../../domain/translate/target.ts'
import type { Variables } from '../../domain/yaml/interpolate.ts'

export type Settings = Omit<DeployTarget, 'environment' | 'withOrigins'> & {
  readonly profiles: ReadonlyArray<string>
  readonly registry?: string
  readonly hostFiles?: HostFilesChoice
}

const usage = (message: string, help: string): Checked<never> => C.fail(error('DT2001', message, { help }))

/** `undefined` when it is neither true nor false. */
export const readSwitch = (text: string): boolean | undefined => {
  if (/^(?:true|1|yes|on)$/i.test(text)) return true
  return /^(?:false|0|no|off)$/i.test(text) ? false : undefined
}

/** Comma separated, repeatable; spaces around an item are ignored. */
export const readItems = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => text.split(',').map((item) => item.trim())).filter((item) => item !== '')

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const subdomain = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const registry =
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*(?::[0-9]{1,5})?(?:\/[a-z0-9][a-z0-9._-]*)*$/

/** `isForgotten`: an empty flag clears the setting, whatever a variable, the context or the last deploy say. */
type Rule = {
  readonly flag: string
  readonly variable?: string
  readonly form: RegExp
  readonly help: string
  readonly isForgotten?: boolean
}

const dnsHelp = 'lower-case letters, digits, - and .; each part begins and ends with a letter or digit'
const rules = {
  namespace: {
    flag: '--namespace',
    variable: 'DEVTOOL_NAMESPACE',
    form: label,
    help: 'at most 63 lower-case letters, digits and -; it begins and ends with a letter or digit',
  },
  domain: { flag: '--domain', variable: 'DEVTOOL_DOMAIN', form: subdomain, help: dnsHelp, isForgotten: true },
  registry: {
    flag: '--registry',
    variable: 'DEVTOOL_REGISTRY',
    form: registry,
    help: 'write HOST[:PORT][/PATH], for example registry.example.com/team',
  },
  ingressClass: { flag: '--ingress-class', form: subdomain, help: dnsHelp, isForgotten: true },
  tlsSecret: { flag: '--tls-secret', form: subdomain, help: dnsHelp, isForgotten: true },
} as const satisfies Readonly<Record<string, Rule>>

type Sources = {
  readonly given: Partial<Settings>
  readonly variables: Variables
  readonly defaults: Partial<Settings>
}

const readText = (name: keyof typeof rules, { defaults, given, variables }: Sources): Checked<string | undefined> => {
  const { flag, form, help, isForgotten = false, variable }: Rule = rules[name]
  const fromFlag = given[name]
  if (fromFlag === '' && isForgotten) return C.ok(undefined)
  const fromVariable = variable === undefined ? undefined : variables(variable) || undefined
  const value = fromFlag ?? fromVariable ?? defaults[name]
  if (value === undefined || form.test(value)) return C.ok(value)
  const from = fromFlag === undefined ? (fromVariable === undefined ? `${name} of the context` : variable) : flag
  return usage(`${from}: "${value}" cannot be used`, help)
}

/** The namespace given by a flag or DEVTOOL_NAMESPACE. Finds DT2001. */
export const readNamespace = (given: string | undefined, variables: Variables): Checked<string | undefined> =>
  readText('namespace', { given: defined({ namespace: given }), variables, defaults: {} })

type Texts = Pick<Settings, 'namespace' | 'domain' | 'registry' | 'ingressClass' | 'tlsSecret'>

const readTexts = (sources: Sources): Checked<Texts> =>
  C.struct({
    namespace: readText('namespace', sources),
    domain: readText('domain', sources),
    registry: readText('registry', sources),
    ingressClass: readText('ingressClass', sources),
    tlsSecret: readText('tlsSecret', sources),
  })

/** The settings that a context should remember. Finds DT2001. */
export const readRemembered = (given: Partial<Settings>): Checked<Texts> =>
  readTexts({ given, variables: () => undefined, defaults: {} })

/** The pull registry that a context should remember. Finds DT2001. */
export const readPullRegistry = (text: string | undefined): Checked<string | undefined> =>
  text === undefined || registry.test(text)
    ? C.ok(text)
    : usage(`--pull-registry: "${text}" cannot be used`, rules.registry.help)

const AFFINITY = 'DEVTOOL_COMPOSE_VOLUME_AFFINITY_ENABLED'

const readAffinity = (given: boolean | undefined, variables: Variables): Checked<boolean> => {
  const text = variables(AFFINITY) || 'true'
  const value = given ?? readSwitch(text)
  return value === undefined
    ? usage(`${AFFINITY}: "${text}" is neither true nor false`, 'write true or false')
    : C.ok(value)
}

const HOST_FILES = 'DEVTOOL_HOST_FILES'

const readHostFiles = (given: HostFilesChoice | undefined, variables: Variables): Checked<HostFilesChoice> => {
  const text = given ?? (variables(HOST_FILES) || 'ignore')
  return text === 'config' || text === 'ignore'
    ? C.ok(text)
    : usage(`${HOST_FILES}: "${text}" is unknown`, 'write config or ignore')
}

/** Flags, then variables, then `defaults`. Finds DT2001. */
export const readSettings = (
  given: Partial<Settings>,
  variables: Variables,
  defaults: Partial<Settings> = {},
): Checked<Settings> => {
  const texts = C.struct({
    texts: readTexts({ given, variables, defaults }),
    volumeAffinity: readAffinity(given.volumeAffinity, variables),
    hostFiles: readHostFiles(given.hostFiles, variables),
  })
  const profiles = given.profiles ?? readItems([variables('COMPOSE_PROFILES') ?? ''])
  return pipe(
    texts,
    C.map(
      ({ texts: read, hostFiles = 'ignore', volumeAffinity = true }): Settings => ({
        ...read,
        volumeAffinity,
        hostFiles,
        profiles,
      }),
    ),
  )
}
