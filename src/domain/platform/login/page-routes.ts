/** The pages of a login: their paths, requests and answers. */

export const pages = {
  start: { method: 'GET', path: '/login' },
  authorize: { method: 'GET', path: '/login/authorize' },
  consent: { method: 'POST', path: '/login/authorize' },
  device: { method: 'GET', path: '/login/device' },
  decide: { method: 'POST', path: '/login/device' },
  callback: { method: 'GET', path: '/oidc/callback' },
  logout: { method: 'POST', path: '/login/logout' },
} as const
export type PageId = keyof typeof pages

export const pageCookies = ['session', 'pending'] as const
type Cookies = Readonly<Record<(typeof pageCookies)[number], string | undefined>>

/** `path`: including the query. `fields`: those of the query or of a form. */
export type PageRequest = Cookies & {
  readonly page: PageId
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  readonly address: string
}

/**
 * HTML, or a redirect to `location`. `target`: where its form may lead. `cookies` are set; '' removes one. `user`: who
 * sent the request.
 */
export type PageAnswer = Partial<Cookies> & {
  readonly status: number
  readonly html: string
  readonly location?: string
  readonly target?: string
  readonly user?: string
  readonly code?: string
  /** For the log. */
  readonly cause?: string | undefined
}
