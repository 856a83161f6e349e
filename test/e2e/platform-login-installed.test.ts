/** A person logs in to an installed platform: with the command in a terminal, a browser, and a real issuer. */
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resources } from '../../src/domain/cluster/resources.ts'
import { isPodReady } from '../../src/domain/rollout/pod.ts'
import { done } from '../contract/cluster-world.ts'
import { program } from '../support/e2e/command.ts'
import { ISSUER, ingressOf, PLATFORM, type PlatformLab, told, withPlatform } from '../support/e2e/installed-platform.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { withTmux } from '../support/e2e/tmux.ts'
import { logInAtIssuer, openChromium, tabTo } from '../support/platform/chromium.ts'
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
  await until('both pods of the API server are new', async () => {
    const { items } = await done(cluster.list(apiPods))
    return items.filter((pod) => isPodReady(pod) && !before.includes(pod.metadata.name)).length === 2
  })
}

const PATIENCE_MS = 120_000
const name = fresh('login')

test('a login with a browser at a real issuer goes on while the API servers are replaced', () =>
  withPlatform([name], async (lab) => {
    const issuer = await testIssuer(`${PLATFORM}/oidc/callback`, undefined, await addressHere(lab))
    try {
      lab.write('secret.txt', issuer.clientSecret)
      const flags = told.map((word) => (word === ISSUER ? issuer.issuer : word))
      const install = ['platform', 'install', ...flags, '--oidc-secret', 'secret.txt', '--insecure-issuer']
      await lab.must([...install, '--builder', 'none', '--yes', '--timeout', '3m'])
      const { DEVTOOL_CONTEXT: _, DEVTOOL_TOKEN: __, ...reach } = await lab.asUser('')
      // The platform becomes the current context of this person only.
      const env = { ...reach, PATH: process.env['PATH'] ?? '', HOME: `${lab.folder}/ann` }
      const asked = `${lab.folder}/asked`
      const opener = lab.write('browser', `#!/bin/sh\nprintf %s "$1" > ${asked}.new && mv ${asked}.new ${asked}\n`)
      chmodSync(opener, 0o755)
      const map = `--host-resolver-rules=MAP ${new URL(PLATFORM).hostname} ${await ingressOf(lab.cluster)}`
      const browser = await openChromium(map)
      try {
        const page = await browser.newPage({ ignoreHTTPSErrors: true })
        page.setDefaultTimeout(PATIENCE_MS)
        const login = [process.execPath, program, 'context', 'use', PLATFORM]
        await withTmux(login, { cwd: lab.folder, env: { ...env, BROWSER: opener } }, async (terminal) => {
          await terminal.until('the page has to show')
          await until('the browser is asked to open a page', () => existsSync(asked))
          const [, word = ''] = /has to show "([^"]+)"/.exec(terminal.shown()) ?? []
          await page.goto(readFileSync(asked, 'utf8'))
          await logInAtIssuer(page, 'ann')
          await page.getByText(word).first().waitFor()
          await replaceApi(lab)
          await tabTo(page, 'Log in')
          await page.keyboard.press('Enter')
          await page.getByText('You can close this page').waitFor()
          await terminal.until('create one')
          terminal.press('Enter')
          await terminal.until('name of the new namespace')
          terminal.type(name)
          terminal.press('Enter')
          await terminal.until('status 0')
        })
        const list = await lab.start(['namespace', 'list'], { ...env, KUBECONFIG: '' }).ended
        assert.match(list.stdout, name)
      } finally {
        await browser.close()
      }
    } finally {
      issuer.close()
    }
  }))

test.run()
