/** URLs as they may be shown, logged and kept: without user info and query, where credentials may be. */

/** URLs in any text. Linear: the name of a scheme is short, and user info ends at the first slash. */
const url = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/?#"'<>`]*@)?([^\s?#"'<>`]*)(?:\?[^\s"'<>`#]*)?/gi

export const publicUrl = (text: string): string => text.replace(url, '$1$2')

const credentialName = /token|key|sig|pass|pwd|secret|credential|auth/i

const stars = (text: string): string => '*'.repeat(text.length)

/**
 * Replaces user info, and query values whose names mark them as credentials, by as many asterisks, so that columns stay
 * valid. `https:/` is what remains of a URL that was taken for a path.
 */
export const withMaskedCredentials = (text: string): string => {
  // Hundreds of thousands of texts have neither.
  if (!/[@=]/.test(text)) return text
  return text
    .replace(/(:\/{1,2}|\/\/)([^\s/?#"'<>`]+)(?=@)/g, (_whole, start: string, info: string) => start + stars(info))
    .replace(/([?&]([\w.%-]{1,80})=)([^\s&#"'<>`]+)/g, (whole, start: string, name: string, value: string) =>
      credentialName.test(name) ? start + stars(value) : whole,
    )
}

/** Without the endings `.git` and `/`, which git adds by itself. */
const repositoryPath = (path: string): string => {
  let end = path.length
  while (path.endsWith('/', end) || path.endsWith('.git', end)) end -= path.endsWith('/', end) ? 1 : '.git'.length
  return path.slice(0, end)
}

/**
 * The same for all addresses of a repository: `host/owner/name`, regardless of the protocol. A path on this machine is
 * returned unchanged.
 */
export const repositoryIdentity = (address: string): string => {
  const [, host, path] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*@)?([^/:@]*)(?::\d*)?\/+([^?#]*)/i.exec(address) ??
    /^(?:[^/@:]+@)?([^/@:]+):(?!\\)\/*([^?#]+)/.exec(address) ??
    []
  return repositoryPath(host === undefined || path === undefined ? address : `${host.toLowerCase()}/${path}`)
}

/** The HTTPS address for one that git reaches by SSH; `undefined` for any other. */
export const httpsAddress = (address: string): string | undefined => {
  if (/^https:\/\//i.test(address)) return publicUrl(address)
  const [, host, path] =
    /^ssh:\/\/(?:[^/]*@)?([^/:@]+)(?::\d*)?\/+([^?#]+)/i.exec(address) ??
    /^(?:[^/@:]+@)?([^/@:]+):(?!\\|\/\/)\/*([^?#]+)/.exec(address) ??
    []
  return host === undefined || path === undefined ? undefined : `https://${host}/${path}`
}
