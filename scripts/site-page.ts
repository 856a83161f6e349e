/** Requirements for each page of the site, checked in a browser. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

export const widths: ReadonlyArray<number> = [320, 1024, 2560]
/**
 * Bytes that are transferred, with their headers and nothing in the browser's cache, until the script of the page has taken
 * over. It can be read before that: the text is in the document, which needs only the stylesheet to be shown.
 */
const limit = 100_000

/** `text`: of the document and the stylesheet. */
type Bytes = { readonly text: number; readonly all: number }

/** `links`: addresses of this site. `ids`: what a link can name. */
export type Seen = {
  readonly path: string
  readonly problems: ReadonlyArray<string>
  readonly links: ReadonlyArray<string>
  readonly ids: ReadonlyArray<string>
  readonly bytes: Bytes
}

type Violation = {
  readonly id: string
  readonly help: string
  readonly nodes: ReadonlyArray<{ readonly html: string }>
}

/** Expressions are run in the page, whose types this project does not know. */
const ask = async <A>(page: Page, expression: string): Promise<A> => page.evaluate(expression)

/** The script of the page has taken over the server's HTML. */
export const isReady = async (page: Page): Promise<void> => {
  await page.waitForFunction("document.querySelector('#app')?.__vue_app__ !== undefined", undefined, {
    timeout: 60_000,
  })
}

/** Passes are not collected, and stylesheets not fetched again, which takes a third of the time. */
const violations = async (page: Page, rules?: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, runOnly: rules })
  const found = await ask<ReadonlyArray<Violation>>(
    page,
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )
  return found.map(
    ({ help, id, nodes }) =>
      `${id}: ${help}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(' ')}`,
  )
}

const overflows = async (page: Page): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const wide = await ask<number>(page, 'document.documentElement.scrollWidth')
    if (wide > width) problems.push(`${wide} px wide on ${width} px`)
  }
  return problems
}

/** Errors of the page, and requests to other hosts, from now on. */
export const watched = (page: Page, origin: string): Array<string> => {
  const problems: Array<string> = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', ({ message }) => problems.push(`error: ${message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
      problems.push(`request to ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} for ${response.url()}`)
  })
  return problems
}

/** What `page` loads, counted from the last call of `begin`. */
const weighed = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  let sent = { text: 0, all: 0 }
  const text = new Set<string>()
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (['Document', 'Stylesheet', 'Font'].includes(type)) text.add(requestId)
  })
  session.on('Network.loadingFinished', ({ encodedDataLength, requestId }) => {
    sent.all += encodedDataLength
    if (text.has(requestId)) sent.text += encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  return {
    begin: (): void => {
      sent = { text: 0, all: 0 }
    },
    bytes: (): Bytes => ({ ...sent }),
  }
}

/** Looks at one page of the site after another in one page of the browser. */
export const looking = async (page: Page, origin: string): Promise<(path: string) => Promise<Seen>> => {
  const found = watched(page, origin)
  const weight = await weighed(page)
  return async (path) => {
    await page.setViewportSize({ width: 1024, height: 900 })
    found.length = 0
    weight.begin()
    await page.goto(origin + path, { waitUntil: 'load', timeout: 60_000 })
    await isReady(page)
    const bytes = weight.bytes()
    const heavy = bytes.all > limit ? [`${bytes.all} bytes until it works, more than ${limit}`] : []
    const links = await ask<ReadonlyArray<string>>(
      page,
      "[...document.querySelectorAll('a[href]')].map(({ href }) => href)",
    )
    const ids = await ask<ReadonlyArray<string>>(page, "[...document.querySelectorAll('[id]')].map(({ id }) => id)")
    await page.evaluate(axe.source)
    const inLight = await violations(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    const inDark = await violations(page, ['color-contrast'])
    await page.emulateMedia({ colorScheme: 'light' })
    const wide = await overflows(page)
    const problems = [...found, ...heavy, ...inLight, ...inDark.map((one) => `dark: ${one}`), ...wide]
    return { path, problems, links: links.filter((link) => link.startsWith(`${origin}/`)), ids, bytes }
  }
}
