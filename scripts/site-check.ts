/**
 * Checks the pages of site/dist in Chromium: accessibility, errors, width, weight and links; then uses it and the
 * playground. Of the pages of codes, which only differ in their texts, one in 25 is checked, all with `--all`; the links of all are
 * followed. `--only=PATTERN` selects pages. `--pictures=FOLDER` also writes pictures of four pages.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { root } from './command.ts'
import { type Linked, lookAt, type Seen } from './site-page.ts'
import { takePictures } from './site-pictures.ts'
import { usePlayground } from './site-playground.ts'
import { serveSite } from './site-server.ts'
import { useSite } from './site-use.ts'
import { none, showTally } from './tally.ts'

const folder = join(root, 'site/dist')
const given = (flag: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${flag}=`))?.slice(flag.length + 3)
const only = new RegExp(given('only') ?? '')
const pictures = given('pictures')
const isEvery = process.argv.includes('--all')
const tabs = 2

const pagesOf = (): ReadonlyArray<string> =>
  readdirSync(folder, { encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => (name === 'index.html' ? '/' : `/${name.slice(0, -'.html'.length)}`))

const isCode = (path: string): boolean => /^\/DT\d{4}$/.test(path)

const looked = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const codes = paths.filter(isCode).filter((_, i) => isEvery || i % 25 === 0)
  return [...paths.filter((path) => !isCode(path)), ...codes].filter((path) => only.test(path))
}

/** The links and ids of a page, without a browser. */
const read = (origin: string, path: string): Linked => {
  const html = readFileSync(join(folder, `${path}.html`), 'utf8')
  const valuesOf = (attribute: RegExp): ReadonlyArray<string> =>
    [...html.matchAll(attribute)].map(([, value = '']) => value)
  const links = valuesOf(/<a [^>]*href="([^"]*)"/g).map((href) => new URL(href, origin + path).href)
  return { path, ids: valuesOf(/ id="([^"]*)"/g), links: links.filter((link) => link.startsWith(`${origin}/`)) }
}

/** A file for the playground does not name a place on the page. */
const isPlace = (hash: string): boolean => hash !== '' && !hash.startsWith('#v1.')

/** Examples of the playground, as a link names them. */
const examples = (): ReadonlyArray<string> =>
  [...readFileSync(join(folder, 'playground.html'), 'utf8').matchAll(/<option value="([\w-]+)"/g)].map(
    ([, name]) => `example=${name}`,
  )

const brokenLinks = (seen: ReadonlyArray<Linked>, known: ReadonlySet<string>): ReadonlyArray<string> => {
  const idsOf = ({ ids, path }: Linked): ReadonlyArray<string> =>
    path === '/playground' ? [...ids, ...examples()] : ids
  const ids = new Map(seen.map((page) => [page.path, new Set(idsOf(page))]))
  return seen.flatMap(({ links, path }) =>
    [...new Set(links)].flatMap((link) => {
      const { hash, pathname } = new URL(link)
      if (!known.has(pathname)) return [`${path}: no page ${pathname}`]
      const there = ids.get(pathname)
      if (!isPlace(hash) || there === undefined || there.has(decodeURIComponent(hash.slice(1)))) return []
      return [`${path}: nothing is called ${hash} on ${pathname}`]
    }),
  )
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`

const lookAtAll = async (
  browser: Browser,
  origin: string,
  paths: ReadonlyArray<string>,
): Promise<ReadonlyArray<Seen>> => {
  const left = [...paths]
  const seen: Array<Seen> = []
  const work = async (): Promise<void> => {
    const context = await browser.newContext({
      viewport: { width: 1024, height: 900 },
      colorScheme: 'light',
      reducedMotion: 'reduce',
    })
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const page = await context.newPage()
      seen.push(await lookAt(page, origin, path))
      await page.close()
    }
    await context.close()
  }
  await Promise.all(Array.from({ length: tabs }, work))
  return seen
}

const all = pagesOf()
const files = readdirSync(folder, { encoding: 'utf8' }).map((name) => `/${name}`)
const server = await serveSite(folder)
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
let [passed, failed] = [0, 0]
const report = (title: string, problems: ReadonlyArray<string>): void => {
  if (problems.length === 0) passed += 1
  else failed += 1
  for (const problem of problems) process.stdout.write(`FAIL  ${title}: ${problem}\n`)
}
try {
  const seen = await lookAtAll(browser, server.address, looked(all))
  for (const { path, problems } of seen) report(path, problems)
  const unseen = all.filter((path) => isCode(path) && !seen.some((page) => page.path === path))
  report(
    'links',
    brokenLinks([...seen, ...unseen.map((path) => read(server.address, path))], new Set([...all, ...files])),
  )
  report('use', await useSite(browser, server.address))
  report('playground', await usePlayground(browser, server.address))
  if (pictures !== undefined) await takePictures(browser, server.address, pictures)
  const heaviest = seen.toSorted((a, b) => b.bytes.all - a.bytes.all).slice(0, 3)
  process.stdout.write(
    `heaviest: ${heaviest.map(({ bytes, path }) => `${path} ${kilobytes(bytes.text)} to its text, ${kilobytes(bytes.all)} in all`).join('; ')}\n`,
  )
} finally {
  await browser.close()
  await server.close()
}
process.stdout.write(`${showTally({ ...none, passed, failed })}\n`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
