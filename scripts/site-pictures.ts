/** Pictures of the pages that differ most, for people to look at. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { isReady, widths } from './site-page.ts'

const pages = {
  front: '/',
  tutorial: '/tutorial',
  reference: '/compose',
  code: '/DT1012',
  'coming-from': '/coming-from',
  playground: '/playground',
}

export const takePictures = async (browser: Browser, origin: string, folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' })
    const page = await context.newPage()
    for (const [name, path] of Object.entries(pages)) {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 1200 })
        await page.goto(origin + path, { waitUntil: 'networkidle', timeout: 60_000 })
        await isReady(page)
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
      }
    }
    await context.close()
  }
}
