/**
 * What a deploy on the platform needs to build images: access to the build service, and logins to registries. Both are
 * mounted as files into the container that deploys, and into no other.
 */
import type { JsonObject } from '../../cluster/json.ts'
import { encodeBase64Text } from '../../text/base64.ts'

/** `address`: as in BUILDKIT_HOST. `host`: the name in the builder's certificate. The others are PEM. */
export type RunBuilder = Readonly<Record<'address' | 'host' | 'authority' | 'certificate' | 'key', string>>

/** Names in the folder, as DEVTOOL_BUILDKIT_TLS_DIR has them. */
const builderFiles: Readonly<Record<keyof RunBuilder, string>> = {
  address: 'address',
  host: 'host',
  authority: 'ca.pem',
  certificate: 'cert.pem',
  key: 'key.pem',
}
const fields = ['address', 'host', 'authority', 'certificate', 'key'] as const

export const BUILDER_FOLDER = '/run/devtool/builder'
export const BUILDER_ADDRESS_FILE = builderFiles.address
export const BUILDER_HOST_FILE = builderFiles.host

const keyOf = (field: keyof RunBuilder): string => `builder.${builderFiles[field]}`

/** Data for the Secret of the run. */
export const builderData = (builder: RunBuilder): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map((field) => [keyOf(field), encodeBase64Text(builder[field])]))

/** `secret`: the Secret of the run. Without a build service the folder is empty. */
export const builderVolume = (name: string, secret: string): JsonObject => ({
  name,
  secret: {
    secretName: secret,
    optional: true,
    items: fields.map((field) => ({ key: keyOf(field), path: builderFiles[field] })),
  },
})

/** Logins to registries, which members of the namespace may create: a Secret of this name and Docker's type. */
const REGISTRY_SECRET = 'devtool-registry'
/** A folder with a Docker configuration, and the file in it. */
export const REGISTRY_FOLDER = '/run/devtool/registry'
export const REGISTRY_FILE = 'config.json'
/** A variable with the same content takes precedence: the namespace of a preview has no Secret before its first run. */
export const REGISTRY_VARIABLE = 'DOCKER_AUTH_CONFIG'

export const registryVolume = (name: string): JsonObject => ({
  name,
  secret: {
    secretName: REGISTRY_SECRET,
    optional: true,
    items: [{ key: '.dockerconfigjson', path: REGISTRY_FILE }],
  },
})

/** The variables that choose a builder, as `devtool help environment` lists them. */
const [HOST, TLS_FOLDER, TLS_NAME] = [
  'BUILDKIT_HOST',
  'DEVTOOL_BUILDKIT_TLS_DIR',
  'DEVTOOL_BUILDKIT_TLS_SERVER_NAME',
] as const

/** In order of precedence. */
type RunVariables = ReadonlyArray<ReadonlyMap<string, string>>

/** An empty value counts as absent. */
export const variableIn = (variables: RunVariables, name: string): string =>
  variables.map((values) => values.get(name) ?? '').find((value) => value !== '') ?? ''

/**
 * The builder in the environment of the command: the one that `variables` name, else the build service. `service`: as
 * mounted; absent when the platform has none.
 */
export const builderVariables = (
  variables: RunVariables,
  service: Pick<RunBuilder, 'address' | 'host'> | undefined,
): Readonly<Record<string, string>> => {
  const valueOf = (name: string): string => variableIn(variables, name)
  if (valueOf(HOST) !== '') {
    const named = [HOST, TLS_FOLDER, TLS_NAME].map((name) => [name, valueOf(name)] as const)
    return Object.fromEntries(named.filter(([, value]) => value !== ''))
  }
  return service === undefined
    ? {}
    : { [HOST]: service.address, [TLS_FOLDER]: BUILDER_FOLDER, [TLS_NAME]: service.host }
}

/** Set for commands of runs only: the file with the variables of the namespace and the platform. */
export const VARIABLES_FILE_VARIABLE = 'DEVTOOL_VARIABLES_FILE'

/** Whether these are the variables of a command in a run. */
export const isRun = (shell: ReadonlyMap<string, string>): boolean => (shell.get(VARIABLES_FILE_VARIABLE) ?? '') !== ''
