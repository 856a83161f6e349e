/** The pages of the platform in a real browser, each person with a session of their own. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { axeViolations, logInByKeyboard, openChromium, overflow, tabTo } from './chromium.ts'
import { type PagesPlatform, pagesPlatform } from './pages.ts'

/** `sessions`: of those who have logged in. */
export type PagesWorld = {
  platform?: PagesPlatform
  browser?: Browser
  sessions?: Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>
}

/** Before the tests. */
export const openPages = async (world: PagesWorld): Promise<void> => {
  world.platform = await pagesPlatform(join(import.meta.dirname, '../../../dist/platform/web'))
  world.browser = await openChromium()
  world.sessions = new Map()
}

/** After them. */
export const closePages = async ({ browser, platform }: PagesWorld): Promise<void> => {
  await browser?.close()
  await platform?.close()
}

export const urlOf = ({ platform }: PagesWorld): string => platform?.url ?? ''

/** For a machine that has much else to do. */
const PATIENCE_MS = 120_000

type InBrowser = (
  world: PagesWorld,
  use: (page: Page, context: BrowserContext) => Promise<void>,
  who?: string,
) => Promise<void>

/** `who`: whose session it is, if they have one. */
export const inBrowser: InBrowser = async ({ browser, sessions }, use, who = 'root') => {
  if (browser === undefined) throw new Error('there is no browser')
  const session = sessions?.get(who)
  const context = await browser.newContext({ reducedMotion: 'reduce', ...(session && { storageState: session }) })
  context.setDefaultTimeout(PATIENCE_MS)
  try {
    await use(await context.newPage(), context)
  } finally {
    await context.close()
  }
}

/** Opens a page, after a login if there was none. */
export const entered = async (world: PagesWorld, page: Page, path = '/', who = 'root'): Promise<void> => {
  await page.goto(urlOf(world) + path)
  if (world.sessions?.has(who) === true) return
  await logInByKeyboard(page, who)
  await page.waitForURL(urlOf(world) + path)
  world.sessions?.set(who, await page.context().storageState())
}

export const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()

export const type = async (page: Page, field: string, text: string): Promise<void> => {
  await tabTo(page, field)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

/** `key`: Enter, or Space where Enter does something else. */
export const press = async (page: Page, name: string, key = 'Enter'): Promise<void> => {
  await tabTo(page, name)
  await page.keyboard.press(key)
}

/** The fonts of the issuer's pages are not reached from here, and a page without a session learns that from a 401. */
export const isExpected = (text: string): boolean => /ERR_NAME_NOT_RESOLVED|status of 401/.test(text)

const widths = [320, 1024, 2560]

/** A picture does not become taller than this. */
const TALLEST = 2400

/** Where to put a picture of every page at every width, light and dark: to be looked at by people. */
const pictures = process.env['PICTURES']

const pictured = async (page: Page, name: string): Promise<void> => {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  const width = page.viewportSize()?.width ?? 0
  const height = Math.min(TALLEST, Number(await page.evaluate('document.documentElement.scrollHeight')))
  const file = `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`
  await page.screenshot({ path: join(pictures, file), fullPage: true, clip: { x: 0, y: 0, width, height } })
}

/** Checks the page as it is shown now, at all widths, light and dark. `isHarmless`: errors that belong to the page. */
export const looked = async (
  page: Page,
  name: string,
  heard: ReadonlyArray<string>,
  isHarmless: (text: string) => boolean = () => false,
): Promise<void> => {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    assert.is(await overflow(page), 0, `${name} at ${width} is wider than its window`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.equal(await axeViolations(page), [], `${name} at ${width}, ${colorScheme}`)
      await pictured(page, `${name} ${width} ${colorScheme}`)
    }
  }
  assert.equal(
    heard.filter((text) => !isExpected(text) && !isHarmless(text)),
    [],
    name,
  )
}
