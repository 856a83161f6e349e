/** Which repositories runs clone: only by HTTPS, since other protocols could reach files or programs of the pod. */
import { repositoryIdentity } from '../../text/public-url.ts'

/** The variable of a namespace with the token for a host. */
export const gitTokenVariable = (host: string): string =>
  `DEVTOOL_GIT_TOKEN_${host.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`

/**
 * The token for a repository, from the variable of its host. Each line is a token for all repositories of the host, or
 * `PATH TOKEN` for the repository or the group at that path. The longest path counts. Addresses that a server could
 * take for another path get no token of a path.
 */
export const gitTokenFor = (variable: string, repository: string): string | undefined => {
  const path = repositoryIdentity(repository).replace(/^[^/]*\//, '')
  const isPlain = path.split('/').every((part) => /^[\w.~+@-]+$/.test(part) && !/^\.+$/.test(part))
  const tokens = variable.split('\n').flatMap((line) => {
    const [first = '', second] = line.trim().split(/\s+/)
    if (second === undefined) return first === '' ? [] : [{ of: '', token: first }]
    const of = repositoryIdentity(`https://host/${first}`).replace('host/', '')
    return isPlain && `${path}/`.startsWith(`${of}/`) ? [{ of, token: second }] : []
  })
  return tokens.toSorted((a, b) => b.of.length - a.of.length)[0]?.token
}

/** The page of a pull request on GitHub, Gitea or Bitbucket, or of a merge request on GitLab. */
const REQUEST = /^(https:\/\/.+?)\/(?:-\/merge_requests|pulls?|pull-requests)\/\d+(?:[/?#]|$)/i

/**
 * Whether `sourceUrl` is the page of a request to another repository of the same host. Requests from forks without such
 * a page cannot be told from others.
 */
export const isOfFork = (repository = '', sourceUrl = ''): boolean => {
  const [, target] = REQUEST.exec(sourceUrl) ?? []
  // As Bitbucket Server shows repositories, which it serves at other paths.
  if (target === undefined || target.includes('/repos/')) return false
  const [from, to] = [repository, target].map((one) => repositoryIdentity(one).toLowerCase())
  return from !== to && from?.split('/')[0] === to?.split('/')[0]
}

/** The variable with certificates (PEM) that verify servers of repositories, in addition to those of the image. */
export const GIT_AUTHORITY_VARIABLE = 'DEVTOOL_GIT_CA'

/** Addresses with credentials are refused: addresses are shown to everybody in the namespace. */
const ADDRESS = /^https:\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?\/[\w.~%+@/-]{1,500}$/i

/** `undefined` for an address that runs do not clone. */
export const repositoryHost = (address: string): string | undefined => ADDRESS.exec(address)?.[1]?.toLowerCase()

/** A valid name for git (git-check-ref-format) that does not look like a flag. */
export const isBranch = (name: string): boolean =>
  /^[A-Za-z0-9_][\w./+#@=-]{0,199}$/.test(name) &&
  !/\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)/.test(name) &&
  !name.endsWith('.') &&
  !name.endsWith('/')
