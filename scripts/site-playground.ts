/** Uses the playground like a visitor: types a mistake, jumps to it by keyboard, fixes it, sends a link, opens the examples. */
import type { Browser, Page } from 'playwright-core'
import { compareExamples } from './site-examples.ts'
import { isReady, watched } from './site-page.ts'

const file = `services:
  web:
    image: nginx:1.29
    ports: ["8080:80"]
    depends_on:
      cache: { condition: service_healthy }
  cache:
    image: redis:8-alpine
    healthcheck: { test: redis-cli ping }
`

const open = async (page: Page, address: string): Promise<void> => {
  await page.goto(address, { waitUntil: 'load', timeout: 60_000 })
  await isReady(page)
  await page.waitForSelector('[data-revision]:not([data-revision="0"])', { timeout: 60_000 })
}

/** Throws when something is not as expected. */
const walk = async (page: Page, other: Page, origin: string): Promise<void> => {
  const summary = page.locator('#summary')
  const waitFor = (text: string | RegExp): Promise<void> =>
    summary.filter({ hasText: text }).waitFor({ timeout: 30_000 })
  await open(page, `${origin}/playground`)
  await waitFor(/\d+ objects/)
  let requests = 0
  page.on('request', () => {
    requests += 1
  })
  await page.locator('textarea').fill(file)
  await waitFor(/^5 objects/)
  await page.locator('textarea').fill(file.replace('service_healthy', 'healthy'))
  await waitFor(/^No manifests · 1 error/)
  await page.getByRole('button', { name: 'compose.yaml:6:27' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(
    "(() => { const it = document.activeElement; return it?.tagName === 'TEXTAREA' && it.value.slice(it.selectionStart, it.selectionEnd) === 'healthy' })()",
    undefined,
    { timeout: 30_000 },
  )
  await page.keyboard.type('service_healthy')
  await waitFor(/^5 objects/)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.waitForURL(/#v1\./, { timeout: 30_000 })
  if (requests > 0) throw new Error(`${requests} requests while it was used`)
  await open(other, page.url())
  await other
    .locator('#summary')
    .filter({ hasText: /^5 objects/ })
    .waitFor({ timeout: 30_000 })
  if ((await other.locator('textarea').inputValue()) !== file) throw new Error('the link opens another file')
  await compareExamples(other, (shown, fragment) => open(shown, `${origin}/playground${fragment}`))
}

export const usePlayground = async (browser: Browser, origin: string): Promise<ReadonlyArray<string>> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const [page, other] = [await context.newPage(), await context.newPage()]
  const problems = [watched(page, origin), watched(other, origin)]
  try {
    await walk(page, other, origin)
  } catch (cause) {
    problems.push([cause instanceof Error ? cause.message : String(cause)])
  }
  await context.close()
  return problems.flat()
}
