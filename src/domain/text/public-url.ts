/** URLs as they may be shown, logged and kept: without user info and query, where credentials may be. */

/** In any text. Linear: the name of a scheme is short, and user info ends at the first slash. */
const url = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/?#"'<>`]*@)?([^\s?#"'<>`]*)(?:\?[^\s"'<>`#]*)?/gi

export const publicUrl = (text: string): string => text.replace(url, '$1$2')

/** In place: a password and its user become as many asterisks, so that columns stay. */
export const withMaskedUserInfo = (text: string): string =>
  text.replace(
    /(:\/\/)([^\s/?#:"'<>`]*:[^\s/?#"'<>`]*)(?=@)/g,
    (_whole, start: string, info: string) => start + '*'.repeat(info.length),
  )

/**
 * What two addresses of one repository have in common: `host/owner/name`, whichever way git reaches it. A path of this
 * machine is itself.
 */
export const repositoryIdentity = (address: string): string => {
  const [, host, path] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)*([^/:]*)(?::\d*)?\/+([^?#]*)/i.exec(address) ??
    /^(?:[^/@:]+@)?([^/@:]+):(?!\\)\/*([^?#]+)/.exec(address) ??
    []
  if (host === undefined || path === undefined) return address
  return `${host.toLowerCase()}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}`
}
