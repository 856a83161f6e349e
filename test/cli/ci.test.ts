/** The shell parts of the examples for CI, run as CI does against the API of a platform whose runs succeed. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { root } from '../../scripts/command.ts'
import { STATUS_ANNOTATION } from '../../src/domain/k8s/labels.ts'
import { memoryCluster } from '../memory/cluster.ts'
import { blocksIn } from '../support/cli/doc-commands.ts'
import { installedWords } from '../support/cli/installed.ts'
import { startApi, untilReady } from '../support/platform/api.ts'
import { startRunner } from '../support/platform/runner.ts'
import { objects, tokenOf } from '../support/platform/world.ts'

const scratch = mkdtempSync(join(tmpdir(), 'devtool-ci-'))
const [bin, workspace] = [join(scratch, 'bin'), join(scratch, 'workspace')]

/** A program that notes its arguments. */
const program = (name: string, text: string): void => {
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
  chmodSync(join(bin, name), 0o755)
}

test.before(() => {
  mkdirSync(workspace)
  program('devtool', `exec ${installedWords} "$@"`)
  for (const name of ['gh', 'curl'])
    program(name, `printf '%s\\n' "$@" > '${join(scratch, name)}'; cat comment.md > '${join(scratch, 'comment')}'`)
})

test.after(() => rmSync(scratch, { recursive: true }))

const jobsOf = (heading: string) =>
  parse(
    blocksIn('docs/ci.md', heading)
      .flatMap(({ lines }) => lines)
      .join('\n'),
  )

/** Scripts in the order of the page, one after the other in one shell. */
const scriptsOf = (heading: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const look = (json: unknown): void => {
    if (typeof json !== 'object' || json === null) return
    for (const [key, value] of Object.entries(json)) {
      if (key === 'run' && typeof value === 'string') found.push(value)
      else if (key === 'script' && Array.isArray(value)) found.push(value.join('\n'))
      else look(value)
    }
  }
  look(jobsOf(heading))
  return found
}

const shell = (
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<{ status: number | null; text: string }> =>
  new Promise((resolve) => {
    const child = spawn('sh', ['-e', '-c', script], {
      cwd: workspace,
      env: { ...env, HOME: scratch, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.on('close', (status) => resolve({ status, text }))
  })

/** As the controller does, and with an address in each namespace. */
const carryOut = (cluster: ReturnType<typeof memoryCluster>): void => {
  startRunner({ cluster })
  cluster.onChange(({ _tag, object: { kind, metadata } }) => {
    if (_tag === 'Removed' || kind !== 'Namespace') return
    if (metadata.annotations?.[STATUS_ANNOTATION] === 'Deleting')
      setImmediate(() => cluster.take('Namespace', metadata.name))
    const backend = { service: { name: 'web', port: { number: 80 } } }
    cluster.put({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web', namespace: metadata.name },
      spec: { rules: [{ host: 'web.invalid', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
    })
  })
}

const served = async (use: (url: string) => Promise<void>): Promise<void> => {
  const cluster = memoryCluster({ objects: objects() })
  carryOut(cluster)
  let count = 0
  const api = await startApi({ cluster, random: { bytes: (length) => new Uint8Array(length).fill((count += 1)) } })
  try {
    await untilReady(api)
    await use(`http://127.0.0.1:${api.port}`)
  } finally {
    await api.stop(0)
  }
}

const common = { PREVIEW: 'pr-12', DEVTOOL_TOKEN: tokenOf('owner') }

for (const [heading, tool, env] of [
  [
    'GitHub Actions',
    'gh',
    {
      REPOSITORY: 'https://github.com/acme/shop',
      BRANCH: 'feature',
      PULL_REQUEST: 'https://github.com/acme/shop/pull/12',
    },
  ],
  [
    'GitLab CI',
    'curl',
    {
      CI_PROJECT_URL: 'https://gitlab.com/acme/shop',
      CI_PROJECT_ID: '1',
      CI_MERGE_REQUEST_IID: '12',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature',
      CI_API_V4_URL: 'https://gitlab.com/api/v4',
      COMMENT_TOKEN: 'secret',
    },
  ],
] as const) {
  test(`${heading}: a preview is deployed, commented and destroyed`, () =>
    served(async (url) => {
      const [deploy = '', destroy = ''] = scriptsOf(heading)
      const own = { ...common, ...env, DEVTOOL_CONTEXT: url }
      const deployed = await shell(deploy, own)
      assert.is(deployed.status, 0, deployed.text)
      assert.match(deployed.text, 'deployed preview pr-12')
      const comment = readFileSync(join(scratch, 'comment'), 'utf8')
      assert.match(comment, '### Endpoints of shop')
      assert.match(comment, '[http://web.invalid/](http://web.invalid/)')
      assert.match(readFileSync(join(scratch, tool), 'utf8'), 'comment.md')
      assert.equal(readdirSync(workspace), [], 'the user of the image may not write there')
      const destroyed = await shell(destroy, own)
      assert.is(destroyed.status, 0, destroyed.text)
      assert.match(destroyed.text, 'destroyed preview pr-12')
    }))
}

test('the integrations need only the token of their job, and keep previews of two repositories apart', () =>
  served(async (url) => {
    const script = join(root, 'integrations/ci/devtool-ci.sh')
    const own = { DEVTOOL_TOKEN: tokenOf('owner'), DEVTOOL_PLATFORM: url, DEVTOOL_PREVIEW: 'pr-7', DEVTOOL_BRANCH: 'x' }
    const must = async (task: string, owner: string): Promise<string> => {
      const env = { ...own, DEVTOOL_REPOSITORY: `https://github.com/${owner}/My.Shop.git` }
      const { status, text } = await shell(`'${script}' ${task}`, env)
      assert.is(status, 0, text)
      return text
    }
    const [, name = ''] = /deployed preview (my-shop-\d+-pr-7)/.exec(await must('preview', 'acme')) ?? []
    const [, other = ''] = /deployed preview (my-shop-\d+-pr-7)/.exec(await must('preview', 'others')) ?? []
    assert.is.not(name, other)
    assert.match(await must('destroy', 'acme'), `destroyed preview ${name}`)
    const left = await shell('devtool preview list -o name', { DEVTOOL_TOKEN: own.DEVTOOL_TOKEN, DEVTOOL_CONTEXT: url })
    assert.is(left.text, `${other}\n`)
  }))

test('the image of the jobs is the one of a release and its programs, run as the same user', () => {
  const [{ lines } = { lines: [] }] = blocksIn('docs/ci.md', 'Previews, written out')
  const released = readFileSync(join(root, 'integrations/image/Dockerfile'), 'utf8')
  const user = /^USER .+$/m.exec(released)?.[0]
  assert.equal([lines[0]?.split(' ')[0], lines.at(-1)], ['FROM', user])
  for (const tool of ['gh', 'curl']) assert.match(lines.join('\n'), new RegExp(`install .*\\b${tool}\\b`))
  assert.match(released, /^ENTRYPOINT/m)
  for (const [name, { image }] of Object.entries<{ readonly image?: unknown }>(jobsOf('GitLab CI')))
    if (name !== 'variables') assert.equal(image, { name: '$DEVTOOL_IMAGE', entrypoint: [''] }, name)
})

test('names that strangers choose are in no script', () => {
  const scripts = ['GitHub Actions', 'GitLab CI'].flatMap(scriptsOf)
  assert.is(scripts.length, 4)
  for (const script of scripts) {
    assert.not.match(script, '${{')
    for (const line of script.split('\n')) assert.equal(line.replaceAll(/"[^"]*"/g, '').includes('$'), false, line)
  }
})

test.run()
