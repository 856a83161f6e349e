/**
 * docs/platform.md, and what other pages say about platforms, typed as they are. The registry and the builder are those of
 * this test, words in capitals have values, and lines that ask a person get `--yes`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { blocksIn, docLines, typedIn } from '../support/cli/doc-commands.ts'
import { advisedWith } from '../support/cli/golden-commands.ts'
import { openLab } from '../support/e2e/e2e.ts'
import { type PlatformLab, withPlatform } from '../support/e2e/installed-platform.ts'
import { joined } from '../support/e2e/platform.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { type Shell, shellIn } from '../support/e2e/typed.ts'
import { until } from '../support/process/until.ts'

const ISSUER = 'https://login.example.com'
const PLATFORM = 'https://devtool.apps.example.com'
/** A kernel without user namespaces for pods, and an image with the plain programs of BuildKit. */
const builder = '--builder privileged --builder-image moby/buildkit:v0.33.0'

const onKind = 'needs a cluster of kind, and files of others'
const inRuns = 'typed in a run of the platform: test/e2e/platform-runs.test.ts'
const withRepository = 'needs a repository: typed by test/e2e/platform-previews.test.ts'
const lines = docLines(
  ['platform', 'ci', 'security', 'images'].map((name) => ({ page: `docs/${name}.md` })),
  {
    'devtool platform install': 'names the command whose whole line is typed',
    'kubectl apply -f https://kind.sigs.k8s.io/examples/ingress/deploy-ingress-nginx.yaml': onKind,
    'kubectl label node kind-control-plane ingress-ready=true': onKind,
    'devtool context use https://devtool.$ADDRESS.nip.io': 'needs a browser: test/e2e/platform-login.test.ts',
    'devtool deploy --wait': inRuns,
    'devtool destroy --wait': inRuns,
    'devtool pipeline deploy': withRepository,
    'devtool pipeline list': withRepository,
    'devtool pipeline logs': withRepository,
    'devtool pipeline cancel': withRepository,
    'devtool pipeline destroy': withRepository,
    'devtool preview deploy': withRepository,
  },
)

const operated = async ({ must, type }: Shell, { registry, write }: PlatformLab): Promise<void> => {
  write('secret.txt', 's3cret\n')
  const install =
    'devtool platform install --domain apps.example.com --registry registry.example.com/team --oidc-issuer https://login.example.com --oidc-client devtool --oidc-secret secret.txt --admin ann@example.com'
  await must(`${lines.the(install).replace('registry.example.com/team', registry)} ${builder} --yes --timeout 3m`)
  write('buildkitd.toml', `[registry."docker.io"]\nmirrors = ["${registry}"]\n`)
  await must(lines.the('kubectl create configmap buildkitd --namespace devtool-builder --from-file buildkitd.toml'))
  await must(lines.the('kubectl delete pod buildkitd-0 --namespace devtool-builder'))
  const status = lines.the('devtool platform status')
  await until('everything is ready', async () => (await type(status)).status === 0)
  await must(lines.the('devtool why --name builder --namespace devtool-builder'))
  await must(lines.the('devtool why --name platform --namespace devtool-system'))
  await must(lines.the('devtool platform upgrade --diff'))
  await must(`${lines.the('devtool platform upgrade')} --yes --timeout 3m`)
  for (const line of advisedWith.platform) {
    const flags = line.includes(' install ') ? `${install.replace(/^.* install /, '')} --dry-run` : ''
    await must(
      `${line.replace('--context test', '--context staging')} ${flags} ${line.includes(' upgrade ') ? '--yes' : ''}`,
    )
  }
}

/** The issuer's image is not to be had here, so its objects are only checked by the API server. */
const tried = async ({ must }: Shell, { registry, write }: PlatformLab): Promise<void> => {
  const all = blocksIn('docs/platform.md', 'Try it on kind')
  const issuer = all.find(({ language }) => language === 'yaml')?.lines.join('\n') ?? ''
  write('demo-issuer.yaml', issuer)
  const typed = all.flatMap(typedIn)
  const lineWith = (text: string): string => typed.find((line) => line.includes(text)) ?? `no line with ${text}`
  const address = lineWith('export ADDRESS=')
  const applied = await must(`${address}; ${lineWith('sed ')} --dry-run=server -o yaml`)
  assert.match(applied.stdout, /issuer: http:\/\/\d+\.\d+\.\d+\.\d+:32000\n/)
  assert.not.match(applied.stdout, /ADDRESS/)
  await must(lineWith('> secret.txt'))
  const install = lines.the(lineWith('devtool platform install')).replace('localhost:5000', registry)
  const printed = await must(`${address}; ${install} --dry-run`)
  const [, redirect = ''] = /redirectURIs: \[https:\/\/(devtool\.[^/]+)\/oidc\/callback\]/.exec(applied.stdout) ?? []
  assert.ok(printed.stdout.includes(`host: ${redirect}\n`), printed.stdout)
}

const used = async ({ must, type }: Shell, { cluster }: PlatformLab, namespace: string): Promise<void> => {
  const token = await joined(cluster, ISSUER, 'ann', true)
  await joined(cluster, ISSUER, 'ben')
  const use = `${lines.the('devtool context use URL').replace('URL', PLATFORM)} --token ${token}`
  await until('the platform answers', async () => (await type(use)).status === 0)
  await must(`devtool namespace create ${namespace}`)
  await must(lines.the('devtool namespace members add EMAIL').replace('EMAIL', 'ben@example.com'))
  await must(`${lines.the('devtool variable set NAME').replace('NAME', 'COLOR')} <<< red`)
  await must(`${lines.the('devtool variable set')} SIZE <<< large`)
  await must(`${lines.the('devtool variable set NAME --all --previews').replace('NAME', 'REGION')} <<< north`)
  await must(lines.the('devtool variable set DEVTOOL_REGISTRY registry.example.com/shop'))
  assert.match((await must('devtool variable list')).stdout, /COLOR[^]*SIZE/)
  await must(`${lines.the('devtool namespace sleep')} --yes`)
  await must(lines.the('devtool namespace wake'))
  await must('devtool variable unset REGION --all')
  for (const line of advisedWith.user) {
    const here = line.replace('URL', PLATFORM).replace('ADDRESS', 'tcp://builder.example.com:1234')
    await must(line.includes(' use ') ? `${here} --token ${token}` : `${here} <<< secret-token`)
  }
  await must('devtool logout')
  await must(`${lines.the('devtool context delete')} ${PLATFORM}`)
}

const namespace = fresh('doc')

test('every command of docs/platform.md works as it is written', () =>
  withPlatform([namespace], async (lab) => {
    const { context } = await openLab()
    const shell = shellIn({ home: lab.folder, context, env: { BUILDKIT_HOST: lab.builder } })
    await tried(shell, lab)
    await operated(shell, lab)
    const home = join(lab.folder, 'user')
    mkdirSync(home)
    const { HTTPS_PROXY = '', NO_PROXY = '', SSL_CERT_FILE = '' } = await lab.asUser('')
    const user = shellIn({ home, context, env: { HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE } })
    await used(user, lab, namespace)
    lab.write('config.json', '{"auths":{}}')
    const login = lines.the(
      'kubectl create secret generic devtool-registry --namespace shop --type kubernetes.io/dockerconfigjson --from-file .dockerconfigjson=config.json',
    )
    await shell.must(login.replace('--namespace shop', `--namespace ${namespace}`))
    await shell.must(lines.the('devtool platform backup platform.yaml'))
    await shell.must(`${lines.the('devtool platform restore platform.yaml')} --yes`)
    await shell.must(`${lines.the('devtool platform gc')} --yes`)
    await shell.must(`${lines.the('devtool platform uninstall')} --yes`)
    assert.equal(lines.left(), [])
  }))

test.run()
