/** The pages of the platform. Their addresses are stable, since people share them. */

export const webPages = {
  namespaces: '/',
  namespace: '/namespaces/{namespace}',
  members: '/namespaces/{namespace}/members',
  variables: '/namespaces/{namespace}/variables',
  runs: '/namespaces/{namespace}/runs',
  run: '/namespaces/{namespace}/runs/{run}',
  previews: '/previews',
  settings: '/settings',
  users: '/admin/users',
  shared: '/admin/variables',
  everything: '/admin/namespaces',
  platform: '/admin/settings',
} as const
export type WebPageId = keyof typeof webPages

type Params = Readonly<Record<string, string>>
export type WebPlace = { readonly page: WebPageId; readonly params: Params }

const partsOf = (path: string): ReadonlyArray<string> => path.split('/').filter((part) => part !== '')

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

const paramsOf = (pattern: string, path: string): Params | undefined => {
  const [wanted, given] = [partsOf(pattern), partsOf(path)]
  if (wanted.length !== given.length) return undefined
  const found: Array<readonly [string, string]> = []
  for (const [index, part] of wanted.entries()) {
    const text = decoded(given[index] ?? '')
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    if (text === undefined || (name === undefined && text !== part)) return undefined
    if (name !== undefined) found.push([name, text])
  }
  return Object.fromEntries(found)
}

const isPage = (id: string): id is WebPageId => Object.hasOwn(webPages, id)

/** What people shorten addresses to. */
const shortened: Readonly<Record<string, WebPageId>> = { '/namespaces': 'namespaces', '/admin': 'users' }

/** `undefined` for the address of no page. */
export const pageAt = (path: string): WebPlace | undefined => {
  const known = shortened[path.replace(/\/$/, '')]
  if (known !== undefined) return { page: known, params: {} }
  for (const [page, pattern] of Object.entries(webPages)) {
    const params = paramsOf(pattern, path)
    if (params !== undefined && isPage(page)) return { page, params }
  }
  return undefined
}

/** Law: `pageAt` reads it. */
export const pathOf = (page: WebPageId, params: Params = {}): string =>
  webPages[page].replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
