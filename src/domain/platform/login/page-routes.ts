/** The pages of a login: where they are, what they are asked, and what they answer. */

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

/** `path`: with the query. `fields`: of the query, or of a form. */
export type PageRequest = Cookies & {
  readonly page: PageId
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  readonly address: string
}

/**
 * HTML, or with `location` a redirect. `target`: where its form may lead. The cookies are set; '' removes one. `user`:
 * who has asked.
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
