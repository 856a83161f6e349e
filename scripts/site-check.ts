/**
 * Checks every page of site/dist in Chromium: accessibility, errors, width, weight and links; then uses it and the
 * playground. `--only=PATTERN` selects pages. `--pictures=FOLDER` also writes pictures of some pages.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { root } from './command.ts'
import { looking, type Seen } from './site-page.ts'
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
const tabs = 3

const pagesOf = (): ReadonlyArray<string> =>
  readdirSync(folder, { encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => (name === 'index.html' ? '/' : `/${name.slice(0, -'.html'.length)}`))

/** A file for the playground does not name a place on the page. */
const isPlace = (hash: string): boolean => hash !== '' && !hash.startsWith('#v1.')

/** Examples of the playground, as a link names them. */
const examples = (): ReadonlyArray<string> =>
  [...readFileSync(join(folder, 'playground.html'), 'utf8').matchAll(/<option value="([\w-]+)"/g)].map(
    ([, name]) => `example=${name}`,
  )

const brokenLinks = (seen: ReadonlyArray<Seen>, known: ReadonlySet<string>): ReadonlyArray<string> => {
  const idsOf = ({ ids, path }: Seen): ReadonlyArray<string> => (path === '/playground' ? [...ids, ...examples()] : ids)
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

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

const lookAtAll = async (
  browser: Browser,
  origin: string,
  paths: ReadonlyArray<string>,
): Promise<ReadonlyArray<Seen>> => {
  const left = [...paths]
  const seen: Array<Seen> = []
  const work = async (): Promise<void> => {
    const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' })
    const look = await looking(await context.newPage(), origin)
    for (let path = left.shift(); path !== undefined; path = left.shift()) seen.push(await look(path))
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
  const seen = await lookAtAll(
    browser,
    server.address,
    all.filter((path) => only.test(path)),
  )
  for (const { path, problems } of seen) report(path, problems)
  report('links', brokenLinks(seen, new Set([...all, ...files])))
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
