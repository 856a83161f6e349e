/** Every command that diagnostics of the goldens advise, typed on a cluster where it applies. Those of `why` are in why.test.ts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compose, page } from '../support/e2e/apps.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { shellIn } from '../support/e2e/typed.ts'

const goldens = join(import.meta.dirname, '../golden')

const printed: ReadonlyArray<string> = [
  ...new Set(
    readdirSync(goldens, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.txt') && !file.startsWith('why'))
      .flatMap((file) => [
        ...readFileSync(join(goldens, file), 'utf8').matchAll(/`((?:devtool|kubectl) [^`\n]+)`|^ {2}next {4}(.+)$/gm),
      ])
      .map(([, advised = '', next = '']) => `${advised}${next}`),
  ),
]

/** Why a line is not typed here. */
const reasons: ReadonlyArray<readonly [RegExp, string]> = [
  [/^devtool (?:up|down|exec|status|sync)\b/, 'needs a development container: doc-develop.test.ts'],
  [/^devtool (?:platform|pipeline|preview|variable) |devtool-system| URL\b/, 'needs a platform: doc-platform.test.ts'],
  [/argoproj/, 'needs Argo CD: dev-paused.test.ts has its kinds'],
  [/^kubectl \w+$/, 'only names a command'],
]

const shop = compose({ web: page('web', 'ports: ["8080:8080"]'), db: page('db'), api: page('api') })
const lastly = /\b(?:destroy|delete)\b/

const typeAll = async (space: Space, { context }: Lab): Promise<void> => {
  const { namespace } = space
  space.write('compose.yaml', `name: shop\n${shop}`)
  const shell = shellIn({ home: space.folder, context })
  await shell.must(`devtool context use staging --namespace ${namespace}`)
  await shell.must('devtool deploy --yes --wait')
  space.write('compose.yaml', `name: shop\n${shop.replace('echo db', 'echo two')}`)
  await shell.must('devtool deploy --yes --wait')
  const pods = await space.list('Pod', 'dev.devtool/service=web')
  await space.create('ResourceQuota', {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'team' },
    spec: { hard: { pods: '50' } },
  })
  await space.create('PersistentVolumeClaim', {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
  })
  const role = `${namespace}-reader`
  await shell.must(`kubectl create clusterrole ${role} --verb=get --resource=pods`)
  const here = (line: string): string =>
    line
      .replace(/(?<=^kubectl create namespace )nope/, `${namespace}-nope`)
      .replace(/(?<=clusterroles\.rbac\.authorization\.k8s\.io\/)\S+/, role)
      .replace(/(?<=--namespace )\S+/, namespace)
      .replace('--context test', '--context staging')
      .replace(/\bweb-(?:1-a|6d4f9c-\w+)/, pods[0]?.metadata.name ?? '')
      .replace(/ --previous/, '')
      .replace('use NAME', 'use staging')
      .replace('--name NAME', '--name shop')
      .replace('HOST', 'registry.example.com')
      .replace(/^devtool (?:deploy|rollback)\b/, '$& --yes')
  const lines = printed.filter((line) => !reasons.some(([words]) => words.test(line)))
  const [first, last] = [lines.filter((line) => !lastly.test(line)), lines.filter((line) => lastly.test(line))]
  assert.ok(first.length > 20 && last.length > 4, `${first.length} and ${last.length}`)
  const failed: Array<string> = []
  const typed = async (line: string): Promise<void> => {
    const { status, stderr } = await shell.type(here(line))
    if (status !== 0) failed.push(`${line} (${here(line)}): ${status} ${stderr}`)
  }
  for (const line of [...first, ...last]) {
    if (line.includes('--name billing')) {
      await shell.must(
        `devtool deploy --yes --name billing -f ${space.write('billing.yaml', compose({ bill: page('bill') }))}`,
      )
    }
    if (line.startsWith('devtool destroy --name shop')) await shell.must('devtool deploy --yes')
    await typed(line)
  }
  await shell.must(`kubectl delete namespace ${namespace}-nope --wait=false`)
  assert.is(failed.join('\n'), '')
}

const test = suite('golden commands')

await scenarios(test, [{ title: 'every command that a diagnostic advises works', space: 'advised', run: typeAll }])

test('a reason that no line needs is named', () => {
  assert.equal(
    reasons.filter(([words]) => !printed.some((line) => words.test(line))),
    [],
  )
})

test.run()
