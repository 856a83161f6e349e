/**
 * The first steps of a person on an installed platform: the pages in a browser, a real issuer, and what the pages say to
 * type, in a terminal, up to the whole life of pipelines and a preview.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resources } from '../../src/domain/cluster/resources.ts'
import { pathOf } from '../../src/domain/platform/web-pages.ts'
import { isPodReady } from '../../src/domain/rollout/pod.ts'
import { done } from '../contract/cluster-world.ts'
import { installedScript } from '../support/cli/installed.ts'
import { compose, page as serving } from '../support/e2e/apps.ts'
import { type GitServer, withGitServer } from '../support/e2e/git-server.ts'
import { ISSUER, ingressOf, PLATFORM, type PlatformLab, told, withPlatform } from '../support/e2e/installed-platform.ts'
import { host, manifest } from '../support/e2e/platform-runs.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { type Tmux, withTmux } from '../support/e2e/tmux.ts'
import { logInByKeyboard, openChromium, tabTo } from '../support/platform/chromium.ts'
import { testIssuer } from '../support/platform/issuer.ts'
import { until } from '../support/process/until.ts'

/** The address of this machine in the network of the cluster. */
const addressHere = ({ registry }: PlatformLab): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(`http://${registry}`)
    const socket = connect(Number(port), hostname, () => {
      resolve(socket.localAddress ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })

const apiPods = { resource: resources.Pod, namespace: 'devtool-system', labels: 'dev.devtool/service=api' }

/** Whoever holds the state of a login in memory loses it. */
const replaceApi = async ({ cluster }: PlatformLab): Promise<void> => {
  const before = (await done(cluster.list(apiPods))).items.map(({ metadata }) => metadata.name)
  for (const name of before) await done(cluster.remove({ ...apiPods, name }, { propagation: 'Background' }))
  await until('both pods of the API server are new, and the others gone', async () => {
    const { items } = await done(cluster.list(apiPods))
    return items.length === 2 && items.every((pod) => isPodReady(pod) && !before.includes(pod.metadata.name))
  })
}

const PATIENCE_MS = 120_000
/** Of this machine, through which the developed service is reached. */
const PORT = 18_080
const [name, look] = [fresh('login'), fresh('look')]

/** What the page shows to be copied under this name. */
const commandOn = async (page: Page, label: string): Promise<string> =>
  (await page
    .locator('.command', { has: page.getByRole('button', { name: `Copy ${label}` }) })
    .locator('code')
    .textContent()) ?? ''

type Shell = Tmux & {
  readonly begin: (command: string) => void
  /** Until what was begun last has ended well. */
  readonly ended: () => Promise<void>
}

const shellIn = (terminal: Tmux): Shell => {
  let begun = 0
  return {
    ...terminal,
    begin: (command) => {
      begun += 1
      terminal.type(`${command}; echo "command ${begun}: status $?"`)
      terminal.press('Enter')
    },
    ended: () => terminal.until(`command ${begun}: status 0`, 180),
  }
}

/** `asked`: the file into which the browser of the terminal writes the address that it is to open. */
const loggedIn = async (lab: PlatformLab, page: Page, terminal: Tmux, asked: string): Promise<void> => {
  await terminal.until('the page has to show')
  await until('the browser is asked to open a page', () => existsSync(asked))
  const [, word = ''] = /has to show "([^"]+)"/.exec(terminal.shown()) ?? []
  await page.goto(readFileSync(asked, 'utf8'))
  await page.getByText(word).first().waitFor()
  await replaceApi(lab)
  await tabTo(page, 'Log in')
  await page.keyboard.press('Enter')
  await page.getByText('You can close this page').waitFor()
}

/** Of pipelines and of a preview, from their first deploy until they are destroyed. */
const livesOf = async (shell: Shell, git: GitServer, authority: string): Promise<void> => {
  const slow = git.add('slow', manifest('sleep 300'))
  const shop = git.add('shop', {
    'compose.yaml': compose({ web: serving('hello', "ports: ['8080:8080']") }),
    'devtool.yml': 'deploy: {compose: compose.yaml}\n',
  })
  const listed = (kind: string, one: string): string => `devtool ${kind} list -o name | grep -x ${one}`
  for (const command of [
    listed('pipeline', 'piped'),
    `devtool pipeline deploy --repository ${slow} --name slow`,
    'devtool pipeline cancel --name slow',
    "until devtool pipeline list | grep 'slow.*cancelled'; do sleep 1; done",
    'devtool pipeline destroy --name piped --wait',
    `! ${listed('pipeline', 'piped')}`,
    `devtool variable set DEVTOOL_GIT_CA --all --previews -- "$(cat ${authority})"`,
    `devtool preview deploy ${look} --repository ${shop} --wait`,
    listed('preview', look),
    `devtool preview endpoints ${look} | grep https://web-${look}`,
    `devtool preview destroy ${look}`,
    `! ${listed('preview', look)}`,
  ]) {
    shell.begin(command)
    await shell.ended()
  }
}

test('what the pages say to type works, and a login goes on while the API servers are replaced', () =>
  withPlatform([name, look], async (lab) => {
    const issuer = await testIssuer(`${PLATFORM}/oidc/callback`, undefined, await addressHere(lab))
    try {
      lab.write('secret.txt', issuer.clientSecret)
      const flags = told.map((word) => (word === ISSUER ? issuer.issuer : word))
      const install = ['platform', 'install', ...flags, '--oidc-secret', 'secret.txt', '--insecure-issuer']
      await lab.must([...install, '--builder', 'none', '--yes', '--timeout', '10m'])
      const { DEVTOOL_CONTEXT: _, DEVTOOL_TOKEN: __, ...reach } = await lab.asUser('')
      // The platform becomes the current context of this person only.
      const home = join(lab.folder, 'ann')
      for (const folder of ['bin', 'shop']) mkdirSync(join(home, folder), { recursive: true })
      const asked = join(lab.folder, 'asked')
      const opener = lab.write('browser', `#!/bin/sh\nprintf %s "$1" > ${asked}.new && mv ${asked}.new ${asked}\n`)
      const devtool = lab.write('ann/bin/devtool', installedScript)
      for (const one of [opener, devtool]) chmodSync(one, 0o755)
      lab.write('ann/shop/compose.yaml', compose({ web: serving('hello', `ports: ['${PORT}:8080']`) }))
      const env = {
        ...reach,
        ...{ PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: home, BROWSER: opener, PS1: '> ' },
        DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim',
      }
      const map = `--host-resolver-rules=MAP *.${new URL(PLATFORM).hostname.split('.').slice(1).join('.')} ${await ingressOf(lab.cluster)}`
      const browser = await openChromium(map)
      try {
        const page = await browser.newPage({ ignoreHTTPSErrors: true })
        page.setDefaultTimeout(PATIENCE_MS)
        await page.goto(PLATFORM + pathOf('settings'))
        await logInByKeyboard(page, 'ann')
        const [version = '', login = '', choose = '', deploy = '', develop = ''] = await Promise.all(
          ['version', 'login', 'namespace', 'deploy', 'development'].map((label) =>
            commandOn(page, `${label} command`),
          ),
        )
        await withTmux(['sh'], { cwd: join(home, 'shop'), env }, async (terminal) => {
          const shell = shellIn(terminal)
          shell.begin(version)
          await shell.ended()
          shell.begin(login)
          await loggedIn(lab, page, terminal, asked)
          await terminal.until('create one')
          terminal.press('Enter')
          await terminal.until('name of the new namespace')
          terminal.type(name)
          terminal.press('Enter')
          await shell.ended()
          shell.begin(choose)
          await terminal.until(`❯ ${name}`)
          terminal.press('Enter')
          await shell.ended()
          await page.goto(PLATFORM + pathOf('namespace', { namespace: name }))
          shell.begin(await commandOn(page, 'login command'))
          await shell.ended()
          assert.is(await commandOn(page, 'deploy command'), deploy)
          shell.begin(deploy)
          await shell.ended()
          const opening = page.waitForEvent('popup')
          await page.getByRole('link', { name: `web-${name}` }).click()
          const opened = await opening
          await until('the service answers at its address', async () => {
            await opened.reload()
            return opened.getByText('hello').isVisible()
          })
          shell.begin(develop)
          await terminal.until('connected')
          await until('the developed service answers', async () => {
            const answer = await fetch(`http://localhost:${PORT}`).catch(() => undefined)
            return (await answer?.text())?.includes('hello') === true
          })
          await page.getByText('developed by').waitFor()
          terminal.press('C-c')
          await terminal.until('command 6: status 130')

          await withGitServer(host, async (git) => {
            const authority = lab.write('git.crt', git.authority)
            shell.begin(`devtool variable set DEVTOOL_GIT_CA -- "$(cat ${authority})"`)
            await shell.ended()
            const repository = git.add('piped', manifest('echo said by the run'))
            shell.begin(`devtool pipeline deploy --repository ${repository} --name piped --wait`)
            await shell.ended()
            assert.match(terminal.shown(), 'said by the run')
            await page.goto(PLATFORM + pathOf('runs', { namespace: name }))
            const run = page.getByRole('row', { name: 'piped' })
            await run.getByText('ann@example.com').waitFor()
            await run.getByText('Succeeded').waitFor()
            await livesOf(shell, git, authority)
          })
        })
      } finally {
        await browser.close()
      }
    } finally {
      issuer.close()
    }
  }))

test.run()
