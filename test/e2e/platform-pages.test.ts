/** The pages of the platform in a real browser. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pathOf } from '../../src/domain/platform/web-pages.ts'
import { complaints, tabTo } from '../support/platform/chromium.ts'
import {
  closePages,
  entered,
  heading,
  inBrowser,
  isExpected,
  openPages,
  type PagesWorld,
  press,
  type,
  urlOf,
} from '../support/platform/pages-browser.ts'
import { RUN } from '../support/platform/runs.ts'
import { running, waiting, workload } from '../support/platform/shop.ts'

const test = suite<PagesWorld>('pages')
test.before(openPages)
test.after(closePages)

test('with the keyboard alone: log in, create a namespace, add a member, set a variable, create a token', (world) =>
  inBrowser(world, async (page) => {
    const heard = complaints(page)
    await entered(world, page)
    await heading(page, 'Namespaces')

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
    assert.match((await row('api').textContent()) ?? '', /In development.*ann on laptop, began \d+ days ago/)
    assert.match((await row('worker').textContent()) ?? '', 'Not starting')
    await page.getByText('the image registry.example.com/shop/worker:7 is not in its registry').waitFor()
    assert.is(
      await page.getByRole('link', { name: 'shop.example.com' }).getAttribute('href'),
      'https://shop.example.com/',
    )
    // An address that is no page of the web is text.
    assert.is(await page.getByRole('link', { name: 'javascript' }).count(), 0)

    const image = 'registry.example.com/shop/worker:7'
    const put = (status: Parameters<typeof workload>[3]): void => {
      for (const object of workload('shop', 'worker', image, status)) world.platform?.cluster.put(object)
    }
    try {
      put(running)
      await row('worker').getByText('Ready').waitFor()
      await page.getByText('4 services, 1 in development').waitFor()
      put(waiting)
      await row('worker').getByText('Not starting').waitFor()
      await page.getByText('4 services, 1 with a problem, 1 in development').waitFor()
    } finally {
      put(waiting)
    }
  }))

test('ages change by themselves', (world) =>
  inBrowser(world, async (page) => {
    await page.clock.install({ time: '2026-11-21T10:05:00Z' })
    await entered(world, page)
    const row = page.getByRole('row').filter({ hasText: 'blog-of-the-whole-team' })
    await row.getByText('5 minutes ago').waitFor()
    await page.clock.fastForward('01:00')
    await row.getByText('6 minutes ago').waitFor()
  }))

test('a search is part of the URL', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page, '/?q=of-the-whole')
    await page.getByRole('rowheader', { name: 'blog-of-the-whole-team' }).waitFor()
    assert.is(await page.getByRole('rowheader').count(), 1)
    assert.is(await page.getByLabel('Search').inputValue(), 'of-the-whole')
    await type(page, 'Search', 'nothing like it')
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

    await type(page, 'Search the log', 'LINE 3123')
    await line('line 3123').waitFor()
    await page.getByText('1 of 11').waitFor()
    await page.keyboard.press('Enter')
    await line('line 31230').waitFor()
    await page.getByText('2 of 11').waitFor()
    await press(page, 'Previous', 'Space')
    await page.getByText('1 of 11').waitFor()
    await press(page, 'Follow', 'Space')
    await line('one more, which is the last').waitFor()
    await tabTo(page, 'Log')
    await page.keyboard.press('Home')
    await line('line 2').waitFor()
    assert.is(await page.getByRole('button', { name: 'Follow', exact: true }).getAttribute('aria-pressed'), 'false')
    await type(page, 'Go to line', '777')
    await page.keyboard.press('Enter')
    await line('line 777').waitFor()
    assert.is(new URL(page.url()).hash, '#L777')
    await type(page, 'Search the log', 'line 31230')
    await line('line 31230').waitFor()
    await type(page, 'Go to line', '778')
    await page.keyboard.press('Enter')
    await line('line 778').waitFor()
    // The only match is gone to again.
    await tabTo(page, 'Search the log')
    await page.keyboard.press('Enter')
    await line('line 31230').waitFor()
    await page.reload()
    await log.locator('.target').getByText('line 778', { exact: true }).waitFor()

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

test('previews are filtered by name, scope and repository, and the filters are part of the URL', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page, pathOf('previews'))
    await page.getByText('3 of 3 previews').waitFor()
    await type(page, 'Scope', 'Personal')
    await page.getByText('2 of 3 previews').waitFor()
    await type(page, 'Name', 'LOOK')
    await page.getByText('1 of 3 previews').waitFor()
    await type(page, 'Repository', 'git.example.com/team/shop')
    await page.getByRole('heading', { name: 'No preview matches' }).waitFor()
    const { searchParams } = new URL(page.url())
    assert.equal(Object.fromEntries(searchParams), {
      scope: 'personal',
      q: 'LOOK',
      repository: 'https://git.example.com/team/shop.git',
    })
    await page.reload()
    await page.getByRole('heading', { name: 'No preview matches' }).waitFor()
    await press(page, 'Show all 3')
    await page.getByText('3 of 3 previews').waitFor()
    await press(page, 'look-at-this')
    await page.getByText('A personal preview of').waitFor()
    await page.locator('nav a[aria-current]', { hasText: 'Previews' }).waitFor()
    assert.is(await page.locator('header nav a[aria-current]').count(), 1)
    await page.getByRole('link', { name: 'git.example.com/team/web/pulls/7' }).waitFor()
    await page.getByText('Your role is').waitFor()
    assert.is(await page.getByRole('button', { name: 'Destroy preview' }).count(), 0)
  }))

test('the focus goes to the heading of a new page, and back to where it was after a question', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page)
    await heading(page, 'Namespaces')
    const isFocused = (selector: string): Promise<void> =>
      page.locator(selector).and(page.locator(':focus')).waitFor({ state: 'attached' })
    await press(page, 'Previews')
    await heading(page, 'Previews')
    await isFocused('h1')
    await page.goBack()
    await heading(page, 'Namespaces')
    await isFocused('h1')
    await press(page, 'empty')
    await heading(page, 'empty')
    await press(page, 'Members')
    await isFocused('h1')

    await press(page, 'Remove root@example.com')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await isFocused('[aria-label="Remove root@example.com"]')

    await page.goto(urlOf(world) + pathOf('settings'))
    await type(page, 'Name', 'CI')
    await press(page, 'Create token')
    await press(page, 'Revoke CI', 'Space')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Cancel', 'Space')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await isFocused('[aria-label="Revoke CI"]')
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
