/** The environment variables by which git finds a repository and its settings (git(1), git-rev-parse(1)). */
import { resolvePath } from '../text/path.ts'
import { percentDecoded } from '../text/percent.ts'

type Env = ReadonlyMap<string, string>

/** As `git rev-parse --local-env-vars` lists them, without those by which CI gives credentials. */
const ofRepository: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
])

/** For another repository than the one that devtool was started in, for instance by a hook. */
export const withoutRepository = (env: Env): Env => new Map([...env].filter(([name]) => !ofRepository.has(name)))

/** They name files of the project in which devtool was started. */
const ofProject: ReadonlySet<string> = new Set(['COMPOSE_ENV_FILES', 'COMPOSE_FILE', 'COMPOSE_PATH_SEPARATOR'])

/** For a devtool that works on a clone of another repository. */
export const forClone = (env: Env): Env => new Map([...withoutRepository(env)].filter(([name]) => !ofProject.has(name)))

/**
 * For commands of the user: a hook's GIT_DIR and GIT_INDEX_FILE are left out when they name the repository of the
 * folder, which git finds by itself, so that a command that works on another repository does not write into this one.
 * `gitFolder` is absolute, and `folder` is where paths in `env` begin.
 */
export const withoutOwnRepository = (env: Env, folder: string, gitFolder: string | undefined): Env => {
  if (gitFolder === undefined) return env
  const isOwn = (value: string): boolean => `${resolvePath(folder, value)}/`.startsWith(`${gitFolder}/`)
  return new Map([...env].filter(([name, value]) => !(['GIT_DIR', 'GIT_INDEX_FILE'].includes(name) && isOwn(value))))
}

/**
 * `env` with further settings of git's configuration, after those that it has already. When the existing count
 * (GIT_CONFIG_COUNT) is invalid, `env` is returned unchanged, and git reports the mistake.
 */
export const withGitConfig = (env: Env, settings: ReadonlyArray<readonly [key: string, value: string]>): Env => {
  const written = env.get('GIT_CONFIG_COUNT') ?? ''
  if (!/^\d{0,9}$/.test(written)) return env
  const count = Number(written)
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${count + index}`, key] as const,
    [`GIT_CONFIG_VALUE_${count + index}`, value] as const,
  ])
  return new Map([...env, ...pairs, ['GIT_CONFIG_COUNT', String(count + settings.length)]])
}

export type GitAddress = { readonly address: string; readonly env: Env }

const USER = 'DEVTOOL_GIT_USERNAME'
const PASSWORD = 'DEVTOOL_GIT_PASSWORD'
const helper = `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$${USER}" "$${PASSWORD}"; }; f`

/**
 * An address that can be passed on a command line, which everybody on the machine can read: its user and password move
 * into the environment, where git's own credential settings find them (gitcredentials(7)).
 */
export const withoutUserInfo = (address: string, env: Env): GitAddress => {
  const [, scheme = '', info, rest = ''] = /^(https?:\/\/)([^/?#]*)@([^]*)/i.exec(address) ?? []
  if (info === undefined) {
    // ssh reads no password from an address.
    return { address: address.replace(/^(ssh:\/\/[^/:@]*):[^/]*@/i, '$1@'), env }
  }
  const bare = `${scheme}${rest}`
  const [host = ''] = /^https?:\/\/[^/?#]*/i.exec(bare) ?? []
  const [, user = '', password] = /^([^:]*)(?::([^]*))?$/.exec(info) ?? []
  if (password === undefined || password === '') {
    return { address: bare, env: withGitConfig(env, [[`credential.${host}.username`, percentDecoded(user)]]) }
  }
  const key = `credential.${host}.helper`
  const known = new Map([...env, [USER, percentDecoded(user)], [PASSWORD, percentDecoded(password)]])
  // The empty helper disables the user's helpers, which would otherwise store these credentials.
  return {
    address: bare,
    env: withGitConfig(known, [
      [key, ''],
      [key, helper],
    ]),
  }
}
