/** The pages of the platform in a real browser: with the keyboard alone, and on every screen. */
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pathOf } from '../../src/domain/platform/web-pages.ts'
import {
  axeViolations,
  complaints,
  logInByKeyboard,
  openChromium,
  overflow,
  tabTo,
} from '../support/platform/chromium.ts'
import { type PagesPlatform, pagesPlatform } from '../support/platform/pages.ts'
import { RUN } from '../support/platform/runs.ts'

/** `session`: of somebody who has logged in. */
type World = {
  platform?: PagesPlatform
  browser?: Browser
  session?: Awaited<ReturnType<BrowserContext['storageState']>> | undefined
}

const test = suite<World>('pages')

test.before(async (world) => {
  world.platform = await pagesPlatform(join(import.meta.dirname, '../../dist/platform/web'))
  world.browser = await openChromium()
})

test.after(async ({ browser, platform }) => {
  await browser?.close()
  await platform?.close()
})

const urlOf = ({ platform }: World): string => platform?.url ?? ''

/** For a machine that has much else to do. */
const PATIENCE_MS = 120_000

type InBrowser = (world: World, use: (page: Page, context: BrowserContext) => Promise<void>) => Promise<void>

const inBrowser: InBrowser = async ({ browser, session }, use) => {
  if (browser === undefined) throw new Error('there is no browser')
  const context = await browser.newContext({ reducedMotion: 'reduce', ...(session && { storageState: session }) })
  context.setDefaultTimeout(PATIENCE_MS)
  try {
    await use(await context.newPage(), context)
  } finally {
    await context.close()
  }
}

/** The fonts of the issuer's pages are not reached from here, and a page without a session learns that from a 401. */
const isExpected = (text: string): boolean => /ERR_NAME_NOT_RESOLVED|status of 401/.test(text)

const entered = async (world: World, page: Page, path = '/'): Promise<void> => {
  await page.goto(urlOf(world) + path)
  if (world.session !== undefined) return
  await logInByKeyboard(page, 'root')
  await page.waitForURL(urlOf(world) + path)
}

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()

const type = async (page: Page, field: string, text: string): Promise<void> => {
  await tabTo(page, field)
  await page.keyboard.type(text)
}

const press = async (page: Page, name: string): Promise<void> => {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

test('with the keyboard alone: log in, create a namespace, add a member, set a variable, create a token', (world) =>
  inBrowser(world, async (page) => {
    const heard = complaints(page)
    await entered(world, page)
    await heading(page, 'Namespaces')
    world.session = await page.context().storageState()

    await type(page, 'Name', 'Blog')
    await page.getByText('The name must be lower-case letters').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('blog')
    await page.keyboard.press('Enter')
    await heading(page, 'blog')
    // What to do first is said where nothing runs yet.
    await page.getByText(`devtool context use ${urlOf(world)} --namespace blog`).waitFor()
    await page.getByText('devtool deploy').waitFor()
    await page.getByText('devtool version', { exact: true }).waitFor()

    await press(page, 'Members')
    await type(page, 'E-mail address', 'nobody@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('Nobody has logged in as nobody@example.com').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('ben@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('ben@example.com has been added.').waitFor()
    assert.is(await page.getByLabel('Role of ben@example.com').inputValue(), 'member')

    await page.goto(urlOf(world) + pathOf('variables', { namespace: 'blog' }))
    await page.getByRole('heading', { name: 'There are no variables' }).waitFor()
    await type(page, 'Name', 'COLOR')
    await type(page, 'Value', 'a secret of the blog')
    await press(page, 'Set variable')
    await page.getByText('COLOR is set.').waitFor()
    await page.getByRole('rowheader', { name: 'COLOR' }).waitFor()
    assert.not.match((await page.textContent('body')) ?? '', 'a secret of the blog')

    await page.goto(urlOf(world) + pathOf('settings'))
    await heading(page, 'Settings')
    await type(page, 'Name', 'CI of the blog')
    await tabTo(page, 'Allows')
    await page.keyboard.type('Only namespace blog')
    await press(page, 'Create token')
    const token = (await page.getByText(/^dvt_/).textContent()) ?? ''
    const asked = await fetch(`${urlOf(world)}/api/v1/namespaces/blog`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.is(asked.status, 200)
    await page.getByRole('rowheader', { name: 'CI of the blog' }).waitFor()
    await page.reload()
    await page.getByRole('rowheader', { name: 'CI of the blog' }).waitFor()
    assert.not.match((await page.textContent('body')) ?? '', token)
    await press(page, 'Revoke CI of the blog')
    await press(page, 'Revoke token')
    await page.getByText('CI of the blog is revoked.').waitFor()
    const refused = await fetch(`${urlOf(world)}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    assert.is(refused.status, 401)

    await page.goto(urlOf(world) + pathOf('namespace', { namespace: 'blog' }))
    await heading(page, 'blog')
    await press(page, 'Delete namespace')
    await page.keyboard.type('blo')
    assert.ok(await page.getByRole('dialog').getByRole('button', { name: 'Delete namespace' }).isDisabled())
    await page.keyboard.type('g')
    await page.keyboard.press('Enter')
    await heading(page, 'Namespaces')

    assert.equal(
      // Somebody who is not there is a 404.
      heard.filter((text) => !isExpected(text) && !text.includes('status of 404')),
      [],
    )
    await press(page, 'Log out')
    await heading(page, 'You are logged out')
    await page.goto(urlOf(world) + pathOf('settings'))
    await heading(page, 'Log in to devtool')
  }))

test('the state of services is shown, and updated when it changes', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page, pathOf('namespace', { namespace: 'shop' }))
    await page.getByText('4 services, 1 with a problem, 1 in development').waitFor()
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    assert.match((await row('api').textContent()) ?? '', /In development.*ann on laptop, since/)
    assert.match((await row('worker').textContent()) ?? '', 'Not starting')
    await page.getByText('the image registry.example.com/shop/worker:7 is not in its registry').waitFor()
    assert.is(
      await page.getByRole('link', { name: 'shop.example.com' }).getAttribute('href'),
      'https://shop.example.com/',
    )
    // An address that is no page of the web is text.
    assert.is(await page.getByRole('link', { name: 'javascript' }).count(), 0)
  }))

test('a search is part of the URL', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page, '/?q=of-the-whole')
    await page.getByRole('rowheader', { name: 'blog-of-the-whole-team' }).waitFor()
    assert.is(await page.getByRole('rowheader').count(), 1)
    assert.is(await page.getByLabel('Search').inputValue(), 'of-the-whole')
    await page.getByLabel('Search').fill('nothing like it')
    await page.getByRole('heading', { name: 'No namespace has “nothing like it” in its name' }).waitFor()
    assert.is(new URL(page.url()).searchParams.get('q'), 'nothing like it')
  }))

test('the log of a run is followed: 50,000 lines, a search, and a line by its URL', (world) =>
  inBrowser(world, async (page) => {
    const path = pathOf('run', { namespace: 'shop', run: 'a'.repeat(16) })
    world.platform?.say(Array.from({ length: 50_000 }, (_, at) => `line ${at + 1}`))
    await entered(world, page, path)
    const log = page.getByRole('region', { name: 'Log' })
    const line = (text: string) => log.getByText(text, { exact: true })
    await line('line 50000').waitFor()
    assert.ok((await log.locator('.line').count()) < 200)

    world.platform?.say(['one more, which is the last'])
    await line('one more, which is the last').waitFor()
    await page.getByText('The first 1 line of this log is gone').waitFor()

    await page.getByLabel('Search the log').fill('LINE 31234')
    await line('line 31234').waitFor()
    await page.getByText('1 of 1').waitFor()
    await page.getByLabel('Go to line').fill('777')
    await page.keyboard.press('Enter')
    await line('line 777').waitFor()
    assert.is(new URL(page.url()).hash, '#L777')
    await page.reload()
    await log.locator('.target').getByText('line 777', { exact: true }).waitFor()

    await page.getByText('Running', { exact: true }).waitFor()
    world.platform?.end()
    await page.getByText('Succeeded', { exact: true }).waitFor()
  }))

test('a log shows colours, and other control sequences have no effect', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page, pathOf('run', { namespace: 'shop', run: RUN }))
    const log = page.getByRole('region', { name: 'Log' })
    await log.getByText('bell ^G, and ^[[2K a line that a terminal would wipe, and <b>markup</b>').waitFor()
    assert.is(await log.locator('.c1.bold').textContent(), 'error')
    await page.getByText('web: the image is not in its registry', { exact: true }).waitFor()
  }))

test('previews are filtered by scope, and the filter is part of the URL', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page, pathOf('previews'))
    await page.getByRole('rowheader', { name: 'look-at-this' }).waitFor()
    await page.getByLabel('Scope').selectOption('global')
    await page.getByRole('heading', { name: 'No preview matches' }).waitFor()
    assert.is(new URL(page.url()).search, '?scope=global')
    await page.getByRole('link', { name: 'Show all 1' }).click()
    await page.getByRole('link', { name: 'look-at-this' }).click()
    await page.getByText('A personal preview of').waitFor()
    await page.getByRole('link', { name: 'git.example.com/team/web/pulls/7' }).waitFor()
    await page.getByText('Your role is').waitFor()
    assert.is(await page.getByRole('button', { name: 'Delete namespace' }).count(), 0)
  }))

/** `ready`: text that is there once everything has been read. */
const shown = [
  ['/', 'Your role'],
  [pathOf('namespace', { namespace: 'shop' }), 'Not starting'],
  [pathOf('namespace', { namespace: 'empty' }), 'Nothing runs here yet'],
  [pathOf('namespace', { namespace: 'not-deleted' }), 'It was not deleted: the destroy commands'],
  [pathOf('members', { namespace: 'shop' }), 'Add a member'],
  [pathOf('variables', { namespace: 'shop' }), 'Set a variable'],
  [pathOf('runs', { namespace: 'shop' }), 'Deploy web'],
  [pathOf('run', { namespace: 'shop', run: RUN }), '<b>markup</b>'],
  [pathOf('previews'), 'look-at-this'],
  [pathOf('namespace', { namespace: 'look-at-this' }), 'A personal preview of'],
  [pathOf('settings'), 'You have no tokens'],
  [pathOf('users'), 'Disable'],
  [pathOf('shared'), 'Set a variable'],
  [pathOf('everything'), 'Created by'],
  [pathOf('platform'), 'Users log in at'],
  ['/namespaces/absent', 'There is no namespace absent'],
  ['/nowhere', 'There is no such page'],
  ['/login/device', 'Code that your terminal shows'],
] as const

const widths = [320, 1024, 2560]

const looked = async (page: Page, path: string, heard: ReadonlyArray<string>): Promise<void> => {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    assert.is(await overflow(page), 0, `${path} at ${width} is wider than its window`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.equal(await axeViolations(page), [], `${path} at ${width}, ${colorScheme}`)
    }
  }
  const isAbsent = path === '/nowhere' || path === '/namespaces/absent'
  assert.equal(
    heard.filter((text) => !isExpected(text) && !(isAbsent && text.includes('status of 404'))),
    [],
    path,
  )
}

test('every page at every width, light and dark: no violation of axe, no error in the console, nothing too wide', (world) =>
  inBrowser(world, async (page) => {
    const heard = complaints(page)
    for (const [path, ready] of shown) {
      heard.splice(0)
      await page.goto(urlOf(world) + path)
      await page.getByText(ready).first().waitFor()
      await looked(page, path, heard)
    }
    await page.goto(urlOf(world) + pathOf('namespace', { namespace: 'empty' }))
    await page.getByRole('button', { name: 'Delete namespace' }).click()
    await page.getByRole('dialog').waitFor()
    await looked(page, 'a question', heard)
  }))

test('without a login, every page asks for one', (world) =>
  inBrowser({ ...world, session: undefined }, async (page) => {
    const heard = complaints(page)
    await page.goto(urlOf(world) + pathOf('settings'))
    await heading(page, 'Log in to devtool')
    await looked(page, 'the login', heard)
  }))

test('the content security policy blocks scripts, styles and requests of other origins', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page)
    await heading(page, 'Namespaces')
    const refused = await page.evaluate(`(async () => {
      const seen = []
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => seen.push(effectiveDirective))
      const script = document.createElement('script')
      try { script.textContent = 'window.isHacked = true' } catch { seen.push('text of a script') }
      document.body.append(script)
      try { document.body.insertAdjacentHTML('beforeend', '<b>x</b>') } catch { seen.push('markup') }
      const style = document.createElement('style')
      style.textContent = 'body { color: red }'
      document.body.append(style)
      try { await fetch('https://evil.example.com/') } catch {}
      const image = new Image()
      image.src = 'https://evil.example.com/x.png'
      await new Promise((resolve) => { image.onerror = resolve })
      return [...new Set([...seen, String(window.isHacked)])].sort()
    })()`)
    assert.equal(refused, [
      'connect-src',
      'img-src',
      'markup',
      'require-trusted-types-for',
      'style-src-elem',
      'text of a script',
      'undefined',
    ])
  }))

test.run()
