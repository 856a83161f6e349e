/** Requirements for each page of the site, checked in a browser. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

export const widths: ReadonlyArray<number> = [320, 1024, 2560]
/** Bytes that the browser loads before it shows the text, and including the script of the page. */
const limits = { text: 100 * 1024, all: 110 * 1024 }

/** `links`: addresses of this site. `ids`: what a link can name. */
export type Linked = {
  readonly path: string
  readonly links: ReadonlyArray<string>
  readonly ids: ReadonlyArray<string>
}
export type Seen = Linked & {
  readonly problems: ReadonlyArray<string>
  readonly bytes: { readonly text: number; readonly all: number }
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

const violations = async (page: Page, options: string): Promise<ReadonlyArray<string>> => {
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

export const lookAt = async (page: Page, origin: string, path: string): Promise<Seen> => {
  const problems = watched(page, origin)
  const session = await page.context().newCDPSession(page)
  const sent = { text: 0, all: 0 }
  const before = new Set<string>()
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (['Document', 'Stylesheet', 'Font'].includes(type)) before.add(requestId)
  })
  session.on('Network.loadingFinished', ({ encodedDataLength, requestId }) => {
    sent.all += encodedDataLength
    if (before.has(requestId)) sent.text += encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.goto(origin + path, { waitUntil: 'load', timeout: 60_000 })
  await isReady(page)
  const bytes = { ...sent }
  if (bytes.text > limits.text) problems.push(`${bytes.text} bytes until its text is shown, more than ${limits.text}`)
  if (bytes.all > limits.all) problems.push(`${bytes.all} bytes until it works, more than ${limits.all}`)
  const links = await ask<ReadonlyArray<string>>(
    page,
    "[...document.querySelectorAll('a[href]')].map(({ href }) => href)",
  )
  const ids = await ask<ReadonlyArray<string>>(page, "[...document.querySelectorAll('[id]')].map(({ id }) => id)")
  await page.evaluate(axe.source)
  problems.push(...(await violations(page, '{}')))
  await page.emulateMedia({ colorScheme: 'dark' })
  problems.push(...(await violations(page, "{ runOnly: ['color-contrast'] }")).map((one) => `dark: ${one}`))
  await page.emulateMedia({ colorScheme: 'light' })
  problems.push(...(await overflows(page)))
  await session.detach()
  return { path, problems, links: links.filter((link) => link.startsWith(`${origin}/`)), ids, bytes }
}
