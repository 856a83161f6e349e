/** What administrators change on the pages, and what becomes of a run that is cancelled or whose connection is lost. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, textAt } from '../../src/domain/cluster/json.ts'
import { annotationOf } from '../../src/domain/cluster/live.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { CANCELLED_ANNOTATION } from '../../src/domain/k8s/labels.ts'
import { runName } from '../../src/domain/platform/run/record.ts'
import { pathOf } from '../../src/domain/platform/web-pages.ts'
import { done } from '../contract/cluster-world.ts'
import {
  closePages,
  entered,
  heading,
  inBrowser,
  openPages,
  type PagesWorld,
  press,
  type,
  urlOf,
} from '../support/platform/pages-browser.ts'
import { live } from '../support/platform/pages-objects.ts'

const test = suite<PagesWorld>('what pages change')
test.before(openPages)
test.after(closePages)

test('an administrator changes a role, and disables and enables a user', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page)
    await heading(page, 'Namespaces')
    await press(page, 'Admin')
    await heading(page, 'Administration')
    await type(page, 'Role of ann@example.com', 'Administrator')
    await page.getByText('ann@example.com is an administrator now.').waitFor()
    await type(page, 'Role of ann@example.com', 'Developer')
    await page.getByText('ann@example.com is no administrator any more.').waitFor()

    await press(page, 'Disable ben@example.com')
    await press(page, 'Disable user')
    await page.getByText('ben@example.com may not log in any more.').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'ben@example.com' })
    await row.getByText('Disabled').waitFor()
    await page.reload()
    await press(page, 'Enable ben@example.com', 'Space')
    await page.getByText('ben@example.com may log in again.').waitFor()
    await row.getByText('Active').waitFor()
    // Nobody takes their own permissions away.
    assert.is(await page.getByLabel('Role of root@example.com').count(), 0)

    await type(page, 'Search', 'CARLA')
    await page.getByText('1 user of 4').waitFor()
  }))

test('an administrator sets a variable for all namespaces, and deletes it', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page, pathOf('shared'))
    await page.getByRole('heading', { name: 'There are no variables' }).waitFor()
    await type(page, 'Name', 'MIRROR')
    await type(page, 'Value', 'https://mirror.example.com')
    await press(page, 'Previews get it, too: also those of code that nobody has reviewed', 'Space')
    await press(page, 'Set variable')
    await page.getByText('MIRROR is set.').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'MIRROR' })
    await row.getByText('All namespaces, and previews').waitFor()
    assert.not.match((await page.textContent('body')) ?? '', 'mirror.example.com')
    await press(page, 'Delete MIRROR')
    await press(page, 'Delete variable')
    await page.getByText('MIRROR is deleted.').waitFor()
    await page.getByRole('heading', { name: 'There are no variables' }).waitFor()
  }))

test('an administrator finds every namespace, also those of others, and the settings', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page, pathOf('everything'))
    await page.getByRole('rowheader', { name: 'customer-120' }).waitFor()
    await type(page, 'Search', 'Customer-07')
    await page.getByText('10 namespaces').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'customer-070' })
    assert.match((await row.textContent()) ?? '', /Active.*ann@example.com/)
    await page.goto(urlOf(world) + pathOf('platform'))
    const setting = page.getByRole('row').filter({ hasText: 'Previews without a run are destroyed after' })
    assert.match((await setting.textContent()) ?? '', '7 days')
    const most = page.getByRole('row').filter({ hasText: 'Runs under way at a time, at most' })
    assert.match((await most.textContent()) ?? '', '50')
  }))

test('a namespace that sleeps is woken, and put to sleep again', (world) =>
  inBrowser(world, async (page) => {
    await entered(world, page)
    const list = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'asleep', exact: true }) })
    await list.getByText('Asleep', { exact: true }).waitFor()
    await press(page, 'asleep')
    await page.getByText('This namespace sleeps').waitFor()
    const said = page.locator('.head').getByText('Asleep', { exact: true })
    await said.waitFor()
    const service = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    for (const name of ['web', 'db']) await service(name).getByText('Asleep', { exact: true }).waitFor()

    await press(page, 'Wake it')
    await said.waitFor({ state: 'detached' })
    await page.getByText('This namespace sleeps').waitFor({ state: 'detached' })
    for (const name of ['web', 'db']) await service(name).getByText('Asleep').waitFor({ state: 'detached' })

    await press(page, 'Put to sleep')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Put to sleep')
    await said.waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const name of ['web', 'db']) await service(name).getByText('Asleep', { exact: true }).waitFor()
  }))

test('an answer that arrives late does not replace a newer one', (world) =>
  inBrowser(
    world,
    async (page) => {
      await entered(world, page, '/', 'ben')
      let [isFirst, release] = [true, (): void => {}]
      const released = new Promise<void>((resolve) => (release = resolve))
      await page.route('**/api/v1/tokens', async (route) => {
        if (route.request().method() !== 'GET' || !isFirst) return route.continue()
        isFirst = false
        const early = await route.fetch()
        await released
        return route.fulfill({ response: early })
      })
      await page.goto(urlOf(world) + pathOf('settings'))
      await type(page, 'Name', 'nightly')
      await press(page, 'Create token')
      const row = page.getByRole('rowheader', { name: 'nightly' })
      await row.waitFor()
      const late = page.waitForResponse((response) => response.request().method() === 'GET')
      release()
      await (await late).finished()
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))')
      assert.ok(await row.isVisible())
    },
    'ben',
  ))

test('a log whose connection is lost goes on where it was, and its run can be cancelled', (world) =>
  inBrowser(world, async (page) => {
    const { platform } = world
    platform?.say(['first line'])
    await entered(world, page, pathOf('run', { namespace: live.namespace, run: live.id }))
    const log = page.getByRole('region', { name: 'Log' })
    await log.getByText('first line').waitFor()
    await platform?.stop()
    await page.getByText('The connection is lost; trying again.').waitFor()
    platform?.say(['said meanwhile'])
    await platform?.start()
    await log.getByText('said meanwhile').waitFor()
    await page.getByText('The connection is lost; trying again.').waitFor({ state: 'detached' })
    assert.equal(await log.locator('.line > span').allTextContents(), ['first line', 'said meanwhile'])

    await press(page, 'Cancel run')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Cancel run')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const key = { resource: resources.ConfigMap, namespace: live.namespace, name: runName(live.id) }
    const record = platform && (await done(platform.cluster.get(key)))
    assert.ok(record !== undefined && annotationOf(record, CANCELLED_ANNOTATION) !== undefined)
    platform?.end('cancelled')
    await page.getByText('Cancelled', { exact: true }).waitFor()
    assert.is(await page.getByRole('button', { name: 'Cancel run' }).count(), 0)
  }))

test('a terminal on another machine is logged in with the code that it shows', (world) =>
  inBrowser(world, async (page) => {
    const sent = async (path: string, body: object): Promise<Json> => {
      const headers = { 'content-type': 'application/json' }
      const url = `${urlOf(world)}/api/v1/login/${path}`
      return JSON.parse(await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text())
    }
    const asked = await sent('device', { name: 'a build server' })
    const deviceCode = textAt(asked, 'deviceCode') ?? ''
    await entered(world, page)
    await heading(page, 'Namespaces')
    await page.goto(`${urlOf(world)}/login/device`)
    await type(page, 'Code that your terminal shows', textAt(asked, 'userCode') ?? '')
    await page.keyboard.press('Enter')
    await heading(page, 'Log this terminal in?')
    assert.is(textAt(await sent('device/token', { deviceCode }), 'status'), 'pending')
    await press(page, 'Log in')
    await page.getByText('You can close this page').waitFor()
    assert.is(textAt(await sent('device/token', { deviceCode }), 'status'), 'done')
  }))

test.run()
