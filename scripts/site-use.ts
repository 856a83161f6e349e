/** Uses the site like a reader: searches by keyboard, copies commands, switches to dark, follows addresses, one of them wrong. */
import type { Browser, Page } from 'playwright-core'
import { isReady, watched } from './site-page.ts'

const timeout = 30_000

const open = async (page: Page, address: string): Promise<void> => {
  await page.goto(address, { waitUntil: 'load', timeout: 60_000 })
  await isReady(page)
}

const search = async (page: Page, origin: string): Promise<void> => {
  await open(page, `${origin}/`)
  await page.keyboard.press('Control+k')
  await page.locator('.VPLocalSearchBox input:focus').waitFor({ timeout })
  await page.keyboard.type('DT1012')
  await page.locator('.VPLocalSearchBox .result').first().waitFor({ timeout })
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/DT1012(?:#.*)?$/, { timeout })
  await page.getByRole('heading', { level: 1, name: /^DT1012/ }).waitFor({ timeout })
}

/** By Tab alone: past the navigation to the text, and into its first link. */
const skip = async (page: Page, origin: string): Promise<void> => {
  await open(page, `${origin}/up`)
  await page.keyboard.press('Tab')
  await page.locator('.VPSkipLink:focus').waitFor({ timeout })
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.locator('#VPContent :focus').waitFor({ timeout })
}

/** What the button of the first block with this text puts on the clipboard. */
const copied = async (page: Page, text: string): Promise<string> => {
  const block = page.locator('.vp-doc [class*=language-]').filter({ hasText: text }).first()
  await block.hover()
  await block.locator('button.copy').click()
  await block.locator('button.copied').waitFor({ timeout })
  return page.evaluate('navigator.clipboard.readText()')
}

const copy = async (page: Page, origin: string): Promise<void> => {
  await open(page, `${origin}/tutorial`)
  const expected: ReadonlyArray<readonly [string, string]> = [
    ['DT1012', 'devtool validate'],
    [
      'kubectl create namespace',
      'kubectl create namespace hello\ndevtool context use staging --namespace hello --domain apps.example.com\ndevtool deploy --wait',
    ],
    ['devtool list hello', ['devtool list hello', 'devtool logs web', 'devtool endpoints', 'devtool why'].join('\n')],
  ]
  for (const [text, command] of expected) {
    const found = (await copied(page, text)).trimEnd()
    if (found !== command) throw new Error(`the button copies ${JSON.stringify(found)}`)
  }
}

const darken = async (page: Page, origin: string): Promise<void> => {
  await open(page, `${origin}/compose`)
  await page.getByRole('switch').first().click()
  await page.waitForFunction("document.documentElement.classList.contains('dark')", undefined, { timeout })
  await open(page, `${origin}/tutorial`)
  await page.waitForFunction("document.documentElement.classList.contains('dark')", undefined, { timeout })
}

/** In a session, what is typed stands out, and what is answered does not look like a link. */
const tellApart = async (page: Page, origin: string): Promise<void> => {
  await open(page, `${origin}/tutorial`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const colours = await page.evaluate<ReadonlyArray<string>>(
      "['p a', '.language-shellsession .typed', '.language-shellsession .line:nth-child(2) span'].map((it) => getComputedStyle(document.querySelector(`.vp-doc ${it}`)).color)",
    )
    if (new Set(colours).size < 3) throw new Error(`${colorScheme}: a session has the colours ${colours.join(', ')}`)
  }
}

/** A field, by an address that somebody was sent, and a row that is pointed to on the page. */
const point = async (page: Page, origin: string): Promise<void> => {
  await open(page, `${origin}/compose#services.ports.target`)
  const row = page.locator('tr:target')
  await row.waitFor({ timeout })
  if (!(await row.innerText()).startsWith('target')) throw new Error('the address of a field shows another one')
  await page.waitForFunction('scrollY > 0', undefined, { timeout })
  await page.locator('[id="services.image"] a.field').click()
  await page.waitForURL(/\/compose#services\.image$/, { timeout })
}

const lose = async (page: Page, origin: string): Promise<void> => {
  const response = await page.goto(`${origin}/no/such/page`, { waitUntil: 'load', timeout: 60_000 })
  if (response?.status() !== 404) throw new Error(`a wrong address has status ${response?.status()}`)
  await isReady(page)
  await page.getByRole('link', { name: 'Front page' }).click()
  await page.waitForURL(`${origin}/`, { timeout })
}

/** The site is published again while a page of it is open, whose links lead to files that are gone. */
const republish = async (page: Page, origin: string): Promise<void> => {
  await open(page, `${origin}/tutorial`)
  await page.route('**/assets/errors.md.*.js', (route) => route.abort(), { times: 1 })
  await page.getByRole('link', { name: 'Codes', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Codes' }).waitFor({ timeout })
}

/** What the browser says of a use that is about what is missing. */
const expected = new Map([
  [lose, /\b404\b/],
  [republish, /ERR_FAILED|hashmap\.json/],
])

export const useSite = async (browser: Browser, origin: string): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  for (const use of [search, skip, copy, darken, tellApart, point, lose, republish]) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    const page = await context.newPage()
    const seen = watched(page, origin)
    try {
      await use(page, origin)
    } catch (cause) {
      problems.push(cause instanceof Error ? cause.message : String(cause))
    }
    problems.push(...seen.filter((problem) => expected.get(use)?.test(problem) !== true))
    await context.close()
  }
  return problems
}
