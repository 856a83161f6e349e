/**
 * Every command that diagnostics of the goldens advise, typed where it applies: as it is printed for somebody who has
 * chosen the namespace, and as it is printed for somebody who names namespace, context and kubeconfig, from a home where
 * nothing is known. Those of `why` are in why.test.ts, those about a platform in doc-platform.test.ts and
 * platform-previews.test.ts, those about Argo CD in dev-paused-advice.test.ts.
 */
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { completeCommand } from '../../src/cli/advice.ts'
import { numberAt } from '../../src/domain/cluster/json.ts'
import { advisedHere } from '../support/cli/golden-commands.ts'
import { compose, page } from '../support/e2e/apps.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { type Shell, shellIn } from '../support/e2e/typed.ts'
import { until } from '../support/process/until.ts'

/** A line for this run. `own`: in a home of its own, where nothing is known. */
type Line = (printed: string, own: boolean) => string

/** `words`: replaced in each line. */
const lineIn = (space: Space, words: ReadonlyArray<readonly [RegExp | string, string]>): Line => {
  const { folder, namespace } = space
  const given: Readonly<Record<string, string>> = {
    namespace,
    context: 'staging',
    kubeconfig: join(folder, '.kubeconfig'),
  }
  return (printed, own) => {
    const line = words.reduce((text, [word, by]) => text.replace(word, by), printed)
    if (!own) return line
    const home = 'HOME=$(mktemp -d -p "$HOME") && export HOME && unset KUBECONFIG DEVTOOL_HOME'
    return `${home} && ${completeCommand({ given: (key) => given[key] }, line.split(' ')).join(' ')}`
  }
}

/** Each line in both ways; `prepare` is awaited before each. */
const typeEach = async (
  shell: Shell,
  lineOf: Line,
  lines: ReadonlyArray<string>,
  prepare: (line: string) => Promise<unknown> = async () => {},
): Promise<void> => {
  const failed: Array<string> = []
  for (const printed of lines) {
    // What `sync` shows is in the home.
    for (const own of printed.startsWith('devtool sync ') ? [false] : [false, true]) {
      await prepare(printed)
      const line = lineOf(printed, own)
      const { status, stderr, stdout } = await shell.type(line)
      if (status !== 0) failed.push(`${printed} (${line}): ${status} ${stderr}${stdout}`)
    }
  }
  assert.is(failed.join('\n'), '')
}

const shop = compose({ web: page('web', 'ports: ["8080:8080"]'), db: page('db'), api: page('api') })
const destroys = /\b(?:destroy|delete)\b/

const deployed = async (space: Space, { context }: Lab): Promise<void> => {
  const { namespace } = space
  space.write('compose.yaml', `name: shop\n${shop}`)
  const shell = shellIn({ home: space.folder, context })
  await shell.must(`devtool context use staging --namespace ${namespace}`)
  await shell.must('devtool deploy --yes --wait')
  space.write('compose.yaml', `name: shop\n${shop.replace('echo db', 'echo two')}`)
  await shell.must('devtool deploy --yes --wait')
  const [pod] = await space.list('Pod', 'dev.devtool/service=web')
  const name = pod?.metadata.name ?? ''
  // It may be killed with the container that it ends.
  await shell.type(`kubectl exec ${name} --namespace ${namespace} -- kill 1`)
  const restarts = ['status', 'containerStatuses', 0, 'restartCount'] as const
  await until('web has restarted', async () => numberAt(await space.get('Pod', name), ...restarts) === 1)
  // `why` is not 0 before it runs again.
  await shell.must('devtool deploy --yes --wait')
  await shell.must(`kubectl create quota team --namespace ${namespace} --hard pods=50`)
  await space.create('PersistentVolumeClaim', {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
  })
  const [role, made] = [`${namespace}-reader`, `${namespace}-nope`]
  const lineOf = lineIn(space, [
    [/(?<=^kubectl create namespace )nope/, made],
    [/(?<=clusterroles\.rbac\.authorization\.k8s\.io\/)\S+/, role],
    [/(?<=--namespace )\S+/, namespace],
    ['--context test', '--context staging'],
    [/\bweb-(?:1-a|6d4f9c-\w+)/, name],
    ['use NAME', 'use staging'],
    ['--name NAME', '--name shop'],
    ['HOST', 'registry.example.com'],
    [/^devtool (?:deploy|rollback)\b/, '$& --yes'],
  ])
  const prepare = async (line: string): Promise<void> => {
    if (line.startsWith('kubectl create namespace')) {
      await shell.must(`kubectl delete namespace ${made} --ignore-not-found`)
    }
    if (line.includes('clusterroles')) {
      await shell.must(`kubectl create clusterrole ${role} --verb=get --resource=pods`)
    }
    if (line.includes('--name billing')) {
      const file = space.write('billing.yaml', compose({ bill: page('bill') }))
      await shell.must(`devtool deploy --yes --name billing -f ${file}`)
    }
    if (destroys.test(line)) await shell.must('devtool deploy --yes')
  }
  const last = advisedHere.deploy.filter((line) => destroys.test(line))
  const first = advisedHere.deploy.filter((line) => !last.includes(line))
  assert.ok(first.length > 20 && last.length > 4, `${first.length} and ${last.length}`)
  try {
    await typeEach(shell, lineOf, [...first, ...last], prepare)
  } finally {
    await shell.must(`kubectl delete namespace ${made} --ignore-not-found --wait=false`)
  }
}

const developed = `name: shop
services:
  api: { image: "busybox:latest", command: sleep 3600, stop_grace_period: 0s }
dev:
  api: { command: sleep 3600, workdir: /work, sync: [".:/work"], environment: { PATH: "/work/bin:/bin:/usr/bin" } }
`

const inDevelopment = async (space: Space, { context }: Lab): Promise<void> => {
  space.write('project/devtool.yml', developed)
  space.write('project/bin/npm', '#!/bin/sh\necho "npm: $*"\n')
  const env = { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' }
  const shell = shellIn({ home: space.folder, context, env })
  shell.enter('project')
  await shell.must(`chmod +x bin/npm && devtool context use staging --namespace ${space.namespace}`)
  await shell.must('devtool deploy --yes --wait')
  const lineOf = lineIn(space, [[/^devtool up\b.*/, '$& --yes --detach']])
  const up = async (line = 'devtool up'): Promise<void> => {
    await shell.must(lineOf(line, false))
    await until('the files are there', async () => (await shell.type('devtool exec -- ls bin/npm')).status === 0)
  }
  const { development } = advisedHere
  const chosen = (words: RegExp): ReadonlyArray<string> => development.filter((line) => words.test(line))
  const others = development.filter((line) => !/^devtool (?:up|down)\b/.test(line))
  assert.ok(others.length > 4, `only ${others.length}`)
  await up()
  await typeEach(shell, lineOf, others)
  await typeEach(shell, lineOf, chosen(/^devtool down\b/), () => up())
  await typeEach(shell, lineOf, chosen(/^devtool up\b/), () => shell.type('devtool down'))
  await shell.must('devtool down')
}

const test = suite('golden commands')

await scenarios(test, [
  { title: 'every command that a diagnostic about a deploy advises works', space: 'advised', run: deployed },
  {
    title: 'every command that a diagnostic about a development container advises works',
    space: 'advised-dev',
    run: inDevelopment,
  },
])

test('each command that is typed elsewhere is still in a golden', () => assert.equal(advisedHere.gone, []))

test.run()
