/**
 * Every page of the platform at every width, light and dark: no violation of axe, no error in the console, nothing wider
 * than the window, everything reached with the Tab key. `PICTURES=FOLDER` writes a picture of each.
 */
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { showUserCode, USER_CODE_BYTES, userCodeFrom } from '../../src/domain/platform/login/user-code.ts'
import { pathOf } from '../../src/domain/platform/web-pages.ts'
import { complaints, unreached } from '../support/platform/chromium.ts'
import {
  closePages,
  entered,
  heading,
  inBrowser,
  looked,
  openPages,
  type PagesWorld,
  urlOf,
} from '../support/platform/pages-browser.ts'
import { LONG_PREVIEW } from '../support/platform/pages-objects.ts'
import { RUN } from '../support/platform/runs.ts'

const test = suite<PagesWorld>('the look of pages')
test.before(openPages)
test.after(closePages)

const isNotFound = (text: string): boolean => text.includes('status of 404')

/** `path`: with the text that is there once everything has been read, and a name for its picture. */
type ShownPage = readonly [name: string, path: string, ready: string]

const ofAdministrator: ReadonlyArray<ShownPage> = [
  ['namespaces', '/', 'Your role'],
  ['services', pathOf('namespace', { namespace: 'shop' }), 'Not starting'],
  ['services of an empty namespace', pathOf('namespace', { namespace: 'empty' }), 'Nothing runs here yet'],
  ['services of a sleeping namespace', pathOf('namespace', { namespace: 'asleep' }), 'This namespace sleeps'],
  [
    'services not deleted',
    pathOf('namespace', { namespace: 'not-deleted' }),
    'It was not deleted: the destroy commands',
  ],
  ['services of a viewer', pathOf('namespace', { namespace: 'blog-of-the-whole-team' }), 'Your role is viewer'],
  ['members', pathOf('members', { namespace: 'shop' }), 'Add a member'],
  ['variables', pathOf('variables', { namespace: 'shop' }), 'Set a variable'],
  ['runs', pathOf('runs', { namespace: 'shop' }), 'Deploy web'],
  ['runs of an empty namespace', pathOf('runs', { namespace: 'empty' }), 'There are no runs yet'],
  ['run', pathOf('run', { namespace: 'shop', run: RUN }), '<b>markup</b>'],
  ['run under way', pathOf('run', { namespace: 'shop', run: 'a'.repeat(16) }), 'Following'],
  ['run at a line', `${pathOf('run', { namespace: 'shop', run: RUN })}#L3`, '<b>markup</b>'],
  ['run absent', pathOf('run', { namespace: 'shop', run: 'f'.repeat(16) }), 'There is no such run'],
  ['previews', pathOf('previews'), 'look-at-this'],
  ['previews without a match', `${pathOf('previews')}?q=absent`, 'No preview matches'],
  ['preview', pathOf('namespace', { namespace: 'look-at-this' }), 'A personal preview of'],
  ['preview with a long name', pathOf('namespace', { namespace: LONG_PREVIEW }), 'A personal preview of'],
  ['settings', pathOf('settings'), 'You have no tokens'],
  ['admin users', pathOf('users'), 'Disable'],
  ['admin variables', pathOf('shared'), 'Set a variable'],
  ['admin namespaces', pathOf('everything'), 'customer-120'],
  ['admin settings', pathOf('platform'), 'Users log in at'],
  ['absent namespace', '/namespaces/absent', 'There is no namespace absent'],
  ['absent page', '/nowhere', 'There is no such page'],
]

const ofMany: ReadonlyArray<ShownPage> = [
  ['namespaces full', '/', 'customer-050'],
  ['settings with tokens', pathOf('settings'), 'Revoke'],
  ['admin forbidden', pathOf('users'), 'Only for administrators'],
]

const ofNobody: ReadonlyArray<ShownPage> = [
  ['namespaces empty', '/', 'You have no namespace yet'],
  ['previews empty', pathOf('previews'), 'There are no previews'],
]

const shown = async (world: PagesWorld, page: Page, pages: ReadonlyArray<ShownPage>): Promise<void> => {
  const heard = complaints(page)
  for (const [name, path, ready] of pages) {
    heard.splice(0)
    await page.goto(urlOf(world) + path)
    await page.getByText(ready).first().waitFor()
    await looked(page, name, heard, (text) => name.includes('absent') && isNotFound(text))
    assert.equal(await unreached(page), [], `${name} with the Tab key`)
  }
}

for (const [who, pages] of [
  ['root', ofAdministrator],
  ['ann', ofMany],
  ['ben', ofNobody],
] as const) {
  test(`the pages of ${who}`, (world) =>
    inBrowser(
      world,
      async (page) => {
        await entered(world, page, '/', who)
        await heading(page, 'Namespaces')
        await shown(world, page, pages)
      },
      who,
    ))
}

test('questions', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page, pathOf('namespace', { namespace: 'empty' }))
    const heard = complaints(page)
    await page.getByRole('button', { name: 'Delete namespace' }).click()
    await page.getByRole('dialog').waitFor()
    await looked(page, 'question', heard)
    await page.goto(urlOf(world) + pathOf('namespace', { namespace: 'shop' }))
    await page.getByRole('button', { name: 'Put to sleep' }).click()
    await page.getByRole('dialog').waitFor()
    await looked(page, 'question before sleep', heard)
  }))

/** The query of the page that a terminal opens. */
const asking = new URLSearchParams({
  name: 'a laptop with a rather long name.local',
  challenge: 'c'.repeat(43),
  state: 's'.repeat(43),
  redirect: 'http://127.0.0.1:40000/callback',
}).toString()

test('the pages of a login', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page)
    await heading(page, 'Namespaces')
    await shown(world, page, [
      ['consent', `/login/authorize?${asking}`, 'Continue only if you have started this'],
      ['device code', '/login/device', 'Code that your terminal shows'],
      ['device code wrong', '/login/device?code=XXXX', 'There is no code XXXX'],
      [
        'device consent',
        `/login/device?code=${showUserCode(userCodeFrom(new Uint8Array(USER_CODE_BYTES)))}`,
        'another machine',
      ],
    ])
    const heard = complaints(page)
    await page.goto(`${urlOf(world)}/login/authorize?name=x`)
    await heading(page, 'This did not work')
    await looked(page, 'login message', heard, (text) => text.includes('status of 400'))
    await page.goto(urlOf(world))
    await page.getByRole('button', { name: 'Log out' }).click()
    await heading(page, 'You are logged out')
    heard.splice(0)
    await looked(page, 'logged out', heard)
    world.sessions?.delete('root')
    await page.goto(urlOf(world) + pathOf('settings'))
    await heading(page, 'Log in to devtool')
    await looked(page, 'login', heard)
  }))

test('what is said when the platform does not answer', (world) =>
  inBrowser(world, async (page, context) => {
    await entered(world, page)
    const heard = complaints(page)
    await heading(page, 'Namespaces')
    await page.getByRole('rowheader', { name: 'shop', exact: true }).waitFor()
    await context.route('**/api/v1/**', (route) => route.fulfill({ status: 503, body: 'no healthy upstream' }))
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('The platform does not answer').first().waitFor()
    await looked(page, 'unavailable', heard, (text) => text.includes('status of 503'))
    await page.goto(urlOf(world))
    await page.getByText('The platform does not answer').first().waitFor()
    await looked(page, 'unavailable from the start', heard, (text) => text.includes('status of 503'))
    await context.unroute('**/api/v1/**')
    await page.goto(urlOf(world))
    await page.getByRole('rowheader', { name: 'shop', exact: true }).waitFor()
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Namespaces' }).click()
    await page.getByText('The platform cannot be reached').first().waitFor()
    await looked(page, 'offline', heard, (text) => /status of 503|ERR_INTERNET_DISCONNECTED/.test(text))
  }))

test.run()
