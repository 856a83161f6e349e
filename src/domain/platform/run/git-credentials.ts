/**
 * Credentials of git for a run: the token for the host of its repository, and certificates of its server. They are
 * mounted as files into the container that clones, and into no other. Values that the user entered for this run take
 * precedence over those of the namespace, and those over the ones for all namespaces.
 */
import type { JsonObject } from '../../cluster/json.ts'
import { encodeBase64Text } from '../../text/base64.ts'
import { VARIABLES_SECRET } from '../variables.ts'
import { GIT_AUTHORITY_VARIABLE, gitTokenVariable } from './repository.ts'

/** Folders of the volume, in order of precedence. */
export const GIT_SOURCES = ['given', 'namespace', 'shared'] as const
type GivenSource = Exclude<(typeof GIT_SOURCES)[number], 'namespace'>

export const GIT_TOKEN_FILE = 'token'
export const GIT_AUTHORITY_FILE = 'ca.crt'

const filesFor = (host: string): ReadonlyArray<readonly [variable: string, file: string]> => [
  [gitTokenVariable(host), GIT_TOKEN_FILE],
  [GIT_AUTHORITY_VARIABLE, GIT_AUTHORITY_FILE],
]

/** Such variables are not passed to the command of a run. */
const isGitCredential = (name: string): boolean =>
  name === GIT_AUTHORITY_VARIABLE || name.startsWith(gitTokenVariable(''))

export const withoutGitCredentials = (values: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...values].filter(([name]) => !isGitCredential(name)))

const keyOf = (source: GivenSource, file: string): string => `git.${source}.${file}`

/** Data for the Secret of the run: the values that are not in the namespace. */
export const gitData = (
  host: string,
  values: Readonly<Record<GivenSource, ReadonlyMap<string, string>>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (['given', 'shared'] as const).flatMap((source) =>
      filesFor(host).flatMap(([variable, file]) => {
        const value = values[source].get(variable)
        return value === undefined ? [] : [[keyOf(source, file), encodeBase64Text(value)] as const]
      }),
    ),
  )

/** `secret`: the Secret of the run. Values that are not set have no file. */
export const gitVolume = (name: string, host: string, secret: string): JsonObject => ({
  name,
  projected: {
    sources: GIT_SOURCES.map((source) => ({
      secret: {
        name: source === 'namespace' ? VARIABLES_SECRET : secret,
        optional: true,
        items: filesFor(host).map(([variable, file]) => ({
          key: source === 'namespace' ? variable : keyOf(source, file),
          path: `${source}/${file}`,
        })),
      },
    })),
  },
})
