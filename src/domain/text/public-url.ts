/** URLs as they may be shown, logged and kept: without user info and query, where credentials may be. */

/** In any text. Linear: the name of a scheme is short, and user info ends at the first slash. */
const url = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/?#"'<>`]*@)?([^\s?#"'<>`]*)(?:\?[^\s"'<>`#]*)?/gi

export const publicUrl = (text: string): string => text.replace(url, '$1$2')

const credentialName = /token|key|sig|pass|pwd|secret|credential|auth/i

const stars = (text: string): string => '*'.repeat(text.length)

/**
 * In place: user info, and values in a query whose name says that they are credentials, become as many asterisks, so that
 * columns stay. `https:/` is what is left of a URL that was taken for a path.
 */
export const withMaskedCredentials = (text: string): string =>
  text
    .replace(/(:\/{1,2}|\/\/)([^\s/?#"'<>`]+)(?=@)/g, (_whole, start: string, info: string) => start + stars(info))
    .replace(/([?&]([\w.%-]{1,80})=)([^\s&#"'<>`]+)/g, (whole, start: string, name: string, value: string) =>
      credentialName.test(name) ? start + stars(value) : whole,
    )

/** Without the endings that git adds by itself. */
const repositoryPath = (path: string): string => {
  let end = path.length
  while (path.endsWith('/', end) || path.endsWith('.git', end)) end -= path.endsWith('/', end) ? 1 : '.git'.length
  return path.slice(0, end)
}

/**
 * What two addresses of one repository have in common: `host/owner/name`, whichever way git reaches it. A path of this
 * machine is itself.
 */
export const repositoryIdentity = (address: string): string => {
  const [, host, path] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*@)?([^/:@]*)(?::\d*)?\/+([^?#]*)/i.exec(address) ??
    /^(?:[^/@:]+@)?([^/@:]+):(?!\\)\/*([^?#]+)/.exec(address) ??
    []
  return repositoryPath(host === undefined || path === undefined ? address : `${host.toLowerCase()}/${path}`)
}

/** How to reach by HTTPS what git reaches by SSH; `undefined` for what is reached in other ways. */
export const httpsAddress = (address: string): string | undefined => {
  if (/^https:\/\//i.test(address)) return publicUrl(address)
  const [, host, path] =
    /^ssh:\/\/(?:[^/]*@)?([^/:@]+)(?::\d*)?\/+([^?#]+)/i.exec(address) ??
    /^(?:[^/@:]+@)?([^/@:]{2,}):(?!\/\/)\/*([^?#\\]+)$/.exec(address) ??
    []
  return host === undefined || path === undefined ? undefined : `https://${host}/${path}`
}
