/** `platform install --diff` shows what an installation would change, and changes nothing. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { deployPlan } from '../../../src/app/deploy/deploy.ts'
import { environmentsOf } from '../../../src/app/install/environments.ts'
import { previewInstall, previewUpgrade } from '../../../src/app/install/preview.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { builderNamespace } from '../../../src/domain/platform/manifests/builder.ts'
import { foundationFor } from '../../../src/domain/platform/manifests/foundation.ts'
import type { PlatformInstallation } from '../../../src/domain/platform/manifests/installation.ts'
import { bindingsOf, policiesFor } from '../../../src/domain/platform/manifests/policies.ts'
import { printJsonLine } from '../../../src/domain/print/json.ts'
import { encodeBase64Text } from '../../../src/domain/text/base64.ts'
import { done } from '../../contract/cluster-world.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { text } from '../../memory/files.ts'
import { memoryPorts } from '../../support/cluster/memory-ports.ts'

const installation: PlatformInstallation = {
  image: 'registry.example.com/devtool-platform@sha256:0',
  domain: 'apps.example.com',
  tls: { _tag: 'None' },
  issuer: 'https://login.example.com',
  client: 'devtool',
  admins: ['ann@example.com'],
  allowedDomains: [],
  allowedGroups: [],
  proxies: ['10.0.0.0/16'],
}

const plain = (object: Parameters<typeof printJsonLine>[0]): JsonObject => JSON.parse(printJsonLine(object))

const policies = policiesFor(installation.domain)

const asked = (cluster: MemoryCluster) => {
  const target = { cluster, context: 'test', namespace: 'kube-system', settings: {}, isNamed: true, findings: [] }
  const signal = new AbortController().signal
  return { target, signal, interrupted: signal, imageFor: () => TE.right(installation.image) }
}

const ports = memoryPorts({ disk: new Map([['secret.txt', text('s3cret')]]), write: () => {} })

/** As an installation leaves it. */
const installed = async (): Promise<MemoryCluster> => {
  const cluster = memoryCluster({ server: 'https://127.0.0.1:6443' })
  const beneath = [...foundationFor(installation), ...policies, ...bindingsOf(policies, 'Deny')]
  for (const object of beneath) cluster.put(plain(object))
  const clientSecret = encodeBase64Text('s3cret')
  const keys = { clientSecret, sessionKey: encodeBase64Text('key') }
  for (const deployment of environmentsOf({ ...asked(cluster), installation, clientSecret }, keys)) {
    const { findings } = await deployPlan(ports)({ ...deployment, isWaiting: false })
    assert.equal(findings, [])
  }
  return cluster
}

const preview = async (cluster: MemoryCluster) => {
  const written: Array<string> = []
  const stop = cluster.onChange(({ object }) => void written.push(object.metadata.name))
  const { findings, value } = await previewInstall(ports)(
    { ...asked(cluster), installation, secretFile: 'secret.txt' },
    'devtool platform install',
  )
  const errors = findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code} ${message}`)
  stop()
  assert.equal(written, [])
  return { errors, changes: value?.changes ?? [] }
}

const namesOf = (
  changes: ReadonlyArray<{ readonly change: string; readonly object: string }>,
  ...kinds: ReadonlyArray<string>
): ReadonlyArray<string> => changes.flatMap(({ change, object }) => (kinds.includes(change) ? [object] : []))

test('in a cluster without a platform everything is new, no value of a Secret is shown, and nothing is written', async () => {
  const cluster = memoryCluster()
  const { changes, errors } = await preview(cluster)
  assert.is(errors.length, 1)
  assert.match(errors[0] ?? '', new RegExp(`DT3140 .*: ${changes.length} to create$`))
  const names = namesOf(changes, 'create')
  for (const name of ['Namespace/devtool-users', 'devtool-users/Role/devtool-api', 'devtool-system/Deployment/api']) {
    assert.ok(names.includes(name), name)
  }
  const shown = changes.map(({ diff }) => diff).join('')
  assert.match(shown, '+++ installed/ValidatingAdmissionPolicy/devtool-guard')
  assert.not.match(shown, encodeBase64Text('s3cret'))
  const { items } = await done(cluster.list({ resource: resources.Namespace }))
  assert.not.ok(items.some(({ metadata: { name } }) => name.startsWith('devtool-')))
})

test('a dry run of the installed settings shows no change', async () => {
  const { changes, errors } = await preview(await installed())
  assert.equal(namesOf(changes, 'create', 'change', 'renew', 'delete'), [])
  assert.equal(errors, [])
})

test('a dry run shows missing, different and outdated objects', async () => {
  const cluster = await installed()
  cluster.take('ValidatingAdmissionPolicyBinding', 'devtool-guard')
  const [policy] = policies
  if (policy === undefined) throw new Error('there is no policy')
  cluster.put(plain({ ...policy, metadata: { ...policy.metadata, name: 'devtool-old' } }))
  cluster.put(plain(builderNamespace))
  const key = { resource: resources.PodDisruptionBudget, namespace: 'devtool-system', name: 'api' }
  await done(cluster.merge(key, { spec: { minAvailable: 2 } }, { manager: 'kubectl' }))
  const { changes, errors } = await preview(cluster)
  assert.equal(namesOf(changes, 'create'), ['ValidatingAdmissionPolicyBinding/devtool-guard'])
  assert.equal(namesOf(changes, 'change'), ['devtool-system/PodDisruptionBudget/api'])
  assert.equal(namesOf(changes, 'delete'), ['Namespace/devtool-builder', 'ValidatingAdmissionPolicy/devtool-old'])
  assert.match(changes.map(({ diff }) => diff).join(''), /-  minAvailable: 2\n\+  minAvailable: 1\n/)
  assert.match(errors.join(), /DT3140 .*1 to create, 1 to change, 2 to delete/)
})

test('a name that belongs to something else is refused as by an installation', async () => {
  const cluster = memoryCluster({
    objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'devtool-users' } }],
  })
  const { changes, errors } = await preview(cluster)
  assert.equal(changes, [])
  assert.match(errors.join(), /DT6302 Namespace\/devtool-users exists/)
})

test('an upgrade uses the settings of the installation, and requires one', async () => {
  const upgraded = await previewUpgrade(ports)(asked(await installed()))
  assert.equal(namesOf(upgraded.value?.changes ?? [], 'create', 'change', 'renew', 'delete'), [])
  const none = await previewUpgrade(ports)(asked(memoryCluster()))
  assert.equal(
    none.findings.map(({ code }) => code),
    ['DT6306'],
  )
})

test.run()
