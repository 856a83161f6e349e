/**
 * The README's chapter on a platform for a team: its commands in a clone, and what they print. `PICTURE=FILE` writes the
 * picture of the chapter as well.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pathOf } from '../../src/domain/platform/web-pages.ts'
import { blocksIn, docLines, typedIn } from '../support/cli/doc-commands.ts'
import { compose, page } from '../support/e2e/apps.ts'
import { clone } from '../support/e2e/clone.ts'
import type { CommandResult } from '../support/e2e/command.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { removed, type ServedWorld, withServed } from '../support/e2e/served-platform.ts'
import { openChromium } from '../support/platform/chromium.ts'
import { until } from '../support/process/until.ts'

const place = { page: 'README.md', heading: 'For a team' }
const block = blocksIn(place.page, place.heading).find(({ lines }) => lines[0]?.startsWith('$ ') === true)
const doc = docLines([place], {
  'devtool context use https://devtool.example.com': 'needs a browser: test/e2e/platform-login-installed.test.ts',
})

/** Of a service that a namespace with strict rules admits. */
const shop = (text: string): Readonly<Record<string, string>> => {
  const strict = ['user: "1000"', 'cap_drop: [ALL]', 'security_opt: ["no-new-privileges:true"]']
  const service = page(text, 'ports: ["8080:8080"]', ...strict).map((line) => line.replaceAll('/www', '/tmp/www'))
  return { 'compose.yaml': compose({ web: service }, 'name: shop') }
}

/** Without what differs from run to run: names of runs and commits, servers, and widths of columns. */
const lasting = (line: string): string =>
  line
    .replaceAll(/\be2e-[\da-f]+-team\b/g, 'team')
    .replaceAll(/\b[\da-f]{6,40}\b/g, 'ID')
    .replaceAll(/https:\/\/[\w.-]+(?::\d+)?\/shop/g, 'https://GIT/shop')
    .replaceAll(/https?:\/\/[\w.-]+(?::\d+)?\/namespaces\//g, 'https://PLATFORM/namespaces/')
    .replace(/ \([a-z ]+\)$/, '')
    .replace(/ (?:is queued|starts|is under way)\b/, ' BEGINS')
    .replaceAll(/ {2,}/g, ' ')
    .trim()

/** The git server has its name of the README. */
const named = (host: string): string => `(() => {
  const host = ${JSON.stringify(host)}
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    text.data = text.data.replaceAll(host, 'git.example.com').replaceAll(host.split(':')[0], 'git.example.com')
})()`

const picture = async ({ env, git, url }: ServedWorld, namespace: string, path: string): Promise<void> => {
  const browser = await openChromium()
  try {
    const extraHTTPHeaders = { authorization: `Bearer ${env['DEVTOOL_TOKEN']}` }
    const context = await browser.newContext({ extraHTTPHeaders, viewport: { width: 1280, height: 600 } })
    const opened = await context.newPage()
    await opened.goto(url + pathOf('namespace', { namespace }))
    await opened.getByText('web', { exact: true }).first().waitFor()
    await opened.evaluate(named(git.url.slice('https://'.length)))
    await opened.screenshot({ path, clip: { x: 0, y: 0, width: 1280, height: 540 } })
  } finally {
    await browser.close()
  }
}

const test = suite('readme of the platform')

test('the commands of the chapter print what it shows', () =>
  withServed(async (world) => {
    const { cluster, git, must } = world
    const namespace = fresh('team')
    try {
      await must(namespace, 'namespace', 'create', namespace)
      const authority = ['variable', 'set', 'DEVTOOL_GIT_CA', '--all']
      for (const more of [[], ['--previews']]) await must(namespace, ...authority, ...more, '--', git.authority)
      const repository = git.add('shop', shop('hello'))
      git.branch('shop', 'blue-button', shop('hello in blue'))
      await clone(world, repository, 'blue-button')
      const printed = new Set<string>()
      for (const line of typedIn(block ?? { page: '', language: '', lines: [] })) {
        const [, ...words] = doc.the(line).split(' ')
        const print = (): Promise<CommandResult> => must(namespace, ...words)
        // A list may lag behind what has happened.
        if (words[1] === 'list')
          await until('its run is listed as ended', async () => /\bsucceeded\b/.test((await print()).stdout))
        const { stderr, stdout } = await print()
        for (const one of `${stdout}\n${stderr}`.split('\n')) printed.add(lasting(one))
        const { PICTURE } = process.env
        if (words[0] === 'preview' && words[1] === 'deploy' && PICTURE !== undefined)
          await picture(world, stderr.match(/shop-blue\S+/)?.[0] ?? '', PICTURE)
      }
      for (const line of (block?.lines ?? []).filter((one) => !/^\$ |^…/.test(one))) {
        assert.ok(printed.has(lasting(line)), `${lasting(line)} is not in:\n${[...printed].join('\n')}`)
      }
    } finally {
      await removed(cluster, namespace)
    }
  }))

test('no command of the chapter is left', () => assert.equal(doc.left(), []))

test.run()
