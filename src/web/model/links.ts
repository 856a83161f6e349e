/** Addresses written by other people. */

/** `undefined` for an address that is not a web page: it is shown as text. */
export const webLink = (text: string): string | undefined => {
  try {
    const url = new URL(text)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
  } catch {
    return undefined
  }
}

/** Without the scheme, which is obvious. */
export const shortLink = (text: string): string => text.replace(/^https?:\/\//, '').replace(/\/$/, '')

/** As the address of its page, in short. */
export const shortRepository = (url: string): string => shortLink(url).replace(/\.git$/, '')

/** The page of a repository, by its address or by one without a scheme, `github.com/acme/shop`. */
export const repositoryLink = (repository: string): string | undefined => {
  if (/^https?:/i.test(repository)) return webLink(repository.replace(/\.git$/, ''))
  return /^[a-z0-9.-]+\.[a-z]+\/[\w./-]+$/i.test(repository) ? webLink(`https://${repository}`) : undefined
}
