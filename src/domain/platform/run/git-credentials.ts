/**
 * Credentials of git for a run: the token for the host of its repository, and certificates of its server. They are
 * mounted as files into the container that clones, and into no other. Values that the user entered for this run take
 * precedence over those of the namespace, and those over the ones for all namespaces. For a fork, only a token that was
 * entered for this run is used: its code is not that of the people who set the others.
 */
import type { JsonObject } from '../../cluster/json.ts'
import { ifDefined } from '../../object/defined.ts'
import { encodeBase64Text } from '../../text/base64.ts'
import { VARIABLES_SECRET } from '../variables.ts'
import { GIT_AUTHORITY_VARIABLE, gitTokenFor, gitTokenVariable, repositoryHost } from './repository.ts'

/** Folders of the volume, in order of precedence. */
export const GIT_SOURCES = ['given', 'namespace', 'shared'] as const
type GivenSource = Exclude<(typeof GIT_SOURCES)[number], 'namespace'>

export const GIT_TOKEN_FILE = 'token'
export const GIT_AUTHORITY_FILE = 'ca.crt'

/** What is cloned. `isFork`: according to the page of its pull request. */
type Cloned = { readonly repository: string; readonly isFork?: boolean }

type GitFile = { readonly variable: string; readonly file: string }

const filesFor = ({ isFork, repository }: Cloned, source: (typeof GIT_SOURCES)[number]): ReadonlyArray<GitFile> => {
  const authority = { variable: GIT_AUTHORITY_VARIABLE, file: GIT_AUTHORITY_FILE }
  if (isFork === true && source !== 'given') return [authority]
  return [{ variable: gitTokenVariable(repositoryHost(repository) ?? ''), file: GIT_TOKEN_FILE }, authority]
}

/** Such variables are not passed to the command of a run. */
const isGitCredential = (name: string): boolean =>
  name === GIT_AUTHORITY_VARIABLE || name.startsWith(gitTokenVariable(''))

export const withoutGitCredentials = (values: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...values].filter(([name]) => !isGitCredential(name)))

const keyOf = (source: GivenSource, file: string): string => `git.${source}.${file}`

/** Data for the Secret of the run: the values that are not in the namespace, and no tokens for other repositories. */
export const gitData = (
  cloned: Cloned,
  values: Readonly<Record<GivenSource, ReadonlyMap<string, string>>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (['given', 'shared'] as const).flatMap((source) =>
      filesFor(cloned, source).flatMap(({ file, variable }) => {
        const text = values[source].get(variable)
        const value = file === GIT_TOKEN_FILE ? ifDefined(text, (all) => gitTokenFor(all, cloned.repository)) : text
        return value === undefined ? [] : [[keyOf(source, file), encodeBase64Text(value)] as const]
      }),
    ),
  )

/** `secret`: the Secret of the run. Values that are not set have no file. */
export const gitVolume = (name: string, cloned: Cloned, secret: string): JsonObject => ({
  name,
  projected: {
    sources: GIT_SOURCES.map((source) => ({
      secret: {
        name: source === 'namespace' ? VARIABLES_SECRET : secret,
        optional: true,
        items: filesFor(cloned, source).map(({ file, variable }) => ({
          key: source === 'namespace' ? variable : keyOf(source, file),
          path: `${source}/${file}`,
        })),
      },
    })),
  },
})
