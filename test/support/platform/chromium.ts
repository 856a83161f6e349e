/** A real browser, and checks of its pages. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

const programOf = (name: string): string => {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (found === undefined) throw new Error(`the tests of pages need ${name}: apt-get install ${name}`)
  return found
}

export const openChromium = (...args: ReadonlyArray<string>): Promise<Browser> =>
  chromium.launch({ executablePath: programOf('chromium'), chromiumSandbox: process.getuid?.() !== 0, args: [...args] })

/** Each violation as the rule and the elements that break it. */
export const axeViolations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const found: unknown = await page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  )
  return Array.isArray(found) ? found.map(String) : ['axe did not answer']
}

/** By how many pixels the page is wider than the window. */
export const overflow = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))

/** Errors in the browser's console, from now on. */
export const complaints = (page: Page): Array<string> => {
  const heard: Array<string> = []
  page.on('console', (message) => {
    if (message.type() === 'error') heard.push(message.text())
  })
  page.on('pageerror', (cause) => void heard.push(String(cause)))
  return heard
}

/** Logs in at the test issuer, with the keyboard alone, from a page that requires it. */
export const logInByKeyboard = async (page: Page, who: string): Promise<void> => {
  await page.getByRole('heading', { name: 'Log in to devtool' }).waitFor()
  await tabTo(page, 'Log in')
  await page.keyboard.press('Enter')
  await logInAtIssuer(page, who)
}

/** The same from the page of the issuer itself. */
const logInAtIssuer = async (page: Page, who: string): Promise<void> => {
  await page.locator('[name=login]').focus()
  await page.keyboard.type(who)
  await page.keyboard.press('Tab')
  await page.keyboard.type('x')
  await page.keyboard.press('Enter')
  await page.locator('form[action$="/confirm"], form:has([value=consent])').first().waitFor()
  await page.keyboard.press('Tab')
  await page.locator('[type=submit]').focus()
  await page.keyboard.press('Enter')
}

/** What can be used but is not reached with the Tab key, or does not show that it has the focus. */
export const unreached = async (page: Page): Promise<ReadonlyArray<string>> => {
  const count: unknown = await page.evaluate(`(() => {
    const usable = [...document.querySelectorAll('a[href],button,input:not([type=hidden]),select,textarea,[tabindex="0"]')]
    window.left = new Set(usable.filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility()))
    return window.left.size
  })()`)
  for (let left = Number(count) + 1; left > 0; left -= 1) {
    await page.keyboard.press('Tab')
    await page.evaluate(`(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
      if (outlineStyle !== 'none' && outlineWidth !== '0px') window.left.delete(document.activeElement)
    })()`)
  }
  const missed: unknown = await page.evaluate('[...window.left].map(({ outerHTML }) => outerHTML)')
  return Array.isArray(missed) ? missed.map(String) : ['the page did not answer']
}

const MOST_TABS = 80

/** Presses the Tab key until the element with this name has the focus. */
export const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let count = 0; count < MOST_TABS; count += 1) {
    await page.keyboard.press('Tab')
    const focused: unknown = await page.evaluate(`(() => {
      const at = document.activeElement
      return at?.getAttribute('aria-label') ?? at?.labels?.[0]?.textContent ?? at?.textContent ?? ''
    })()`)
    if (String(focused).trim() === name) return
  }
  throw new Error(`the Tab key does not lead to ${name}`)
}
