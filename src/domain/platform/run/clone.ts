/**
 * How a run clones: one commit of one branch, by HTTPS from the named host and no other. Nothing in a repository is
 * executed during that: no hooks, no submodules, no filters.
 */
import * as t from 'io-ts'
import { Diagnostic } from '../../diagnostic/codec.ts'
import { error, type Diagnostic as Finding } from '../../diagnostic/diagnostic.ts'
import { keys } from '../../print/document.ts'
import { encodeBase64Text } from '../../text/base64.ts'
import { gitTokenVariable, isBranch, repositoryHost } from './repository.ts'
import { WORK_FOLDER } from './request.ts'

/** The folder of the cloned files. */
export const SOURCE_FOLDER = `${WORK_FOLDER}/source`
/** What git stores differs from clone to clone: among the files, it would make every image a different one. */
const REPOSITORY_FOLDER = `${WORK_FOLDER}/git`
/** The result, for the container that is permitted to report it. */
export const CLONE_FILE = `${WORK_FOLDER}/clone.json`

export const CloneOutcome = keys(
  { lines: [t.readonlyArray(t.string), 'what git said'] },
  {
    commit: [t.string, 'what was cloned'],
    branch: [t.string, 'the branch that is checked out; a tag has none'],
    failure: [Diagnostic, 'why nothing was'],
    seconds: [t.number, 'how long it took'],
  },
)
export type CloneOutcome = t.TypeOf<typeof CloneOutcome>

/** `token` and `authority` (a file with certificates) are absent when there are none. `isFork`: so tokens were left out. */
export type Cloning = {
  readonly repository: string
  readonly branch?: string
  readonly token?: string
  readonly authority?: string
  readonly isFork?: boolean
}

export const cloneArguments = ({ branch, repository }: Cloning): ReadonlyArray<string> => [
  'clone',
  '--quiet',
  '--depth=1',
  '--single-branch',
  '--no-tags',
  // Without templates, which the image might contain.
  '--template=',
  `--separate-git-dir=${REPOSITORY_FOLDER}`,
  ...(branch === undefined ? [] : [`--branch=${branch}`]),
  '--',
  repository,
  SOURCE_FOLDER,
]

/** A server that sends almost nothing for this long is given up. */
const SILENT_SECONDS = 30

/** With a token, any user name is accepted. */
const authorization = (token: string): string => `Authorization: Basic ${encodeBase64Text(`oauth2:${token}`)}`

const settingsOf = ({ authority, repository, token }: Cloning): ReadonlyArray<readonly [string, string]> => [
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', String(SILENT_SECONDS)],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['submodule.recurse', 'false'],
  ['protocol.allow', 'never'],
  ['protocol.https.allow', 'always'],
  ['pack.threads', '1'],
  // Larger files are written without being held in memory, which is limited.
  ['core.bigFileThreshold', '32m'],
  ...(authority === undefined ? [] : [['http.sslCAInfo', authority] as const]),
  // For this address only, and in no argument that others could read.
  ...(token === undefined ? [] : [[`http.${repository}.extraHeader`, authorization(token)] as const]),
]

/** Variables for git, which reads no configuration but this. */
export const cloneVariables = (cloning: Cloning): Readonly<Record<string, string>> => {
  const settings = settingsOf(cloning)
  const entries = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name] as const,
    [`GIT_CONFIG_VALUE_${index}`, value] as const,
  ])
  return {
    ...Object.fromEntries(entries),
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'https',
  }
}

const failed = (why: string, help: string): Finding => error('DT6403', why, { help })

/** Why cloning is not even tried. */
export const cloneRefusal = ({ branch, repository }: Cloning): Finding | undefined => {
  if (repositoryHost(repository) === undefined) {
    return failed(
      `the repository ${repository} is not cloned: its address is none of HTTPS without credentials`,
      'give it as https://HOST/PATH',
    )
  }
  if (branch !== undefined && !isBranch(branch)) {
    return failed(`there is no branch ${branch}`, 'name a branch of the repository with --branch')
  }
  return undefined
}

const firstFatal = (said: string): string =>
  said.split('\n').find((line) => line.startsWith('fatal: ')) ?? said.split('\n')[0] ?? ''

/** `said`: the output of git. */
export const cloneFailure = ({ branch, isFork = false, repository, token }: Cloning, said: string): Finding => {
  const variable = gitTokenVariable(repositoryHost(repository) ?? '')
  const why = `the repository ${repository} cannot be cloned: ${firstFatal(said).replace(/^fatal: /, '')}`
  if (said.includes('Operation too slow')) {
    return failed(
      `the repository ${repository} cannot be cloned: its server stopped sending for ${SILENT_SECONDS} s`,
      'start it again when the server answers',
    )
  }
  if (said.includes('not found in upstream')) {
    return failed(`${repository} has no branch or tag ${branch ?? ''}`, 'name another one with --branch')
  }
  if (/could not read Username|Authentication failed|HTTP 40[134]|error: 40[134]|not found/i.test(said)) {
    return failed(
      why,
      token === undefined && isFork
        ? `it is a fork of the repository with the pull request, so tokens of others are not used: if it is private, pass one with \`--var ${variable}=...\``
        : token === undefined
          ? `if it is private, set a token that can read it with \`devtool variable set ${variable}\``
          : `check that the token in ${variable} can read it`,
    )
  }
  return failed(why, 'check the address and the branch; redirects are not followed')
}

/** `seconds`: after which git was stopped. */
export const lateClone = ({ repository }: Cloning, seconds: number): Finding =>
  failed(
    `the repository ${repository} was not cloned within ${seconds} s`,
    'check that its server answers; a large repository may need a longer --timeout',
  )

/** Less than the limit of the work folder, at which the pod is evicted. */
export const MOST_CLONE_MEBIBYTES = 1536

export const largeClone = ({ repository }: Cloning): Finding =>
  failed(
    `the repository ${repository} was not cloned: its files take more than ${MOST_CLONE_MEBIBYTES / 1024} GiB`,
    'a run clones one commit; keep large files elsewhere, or use a branch without them',
  )
