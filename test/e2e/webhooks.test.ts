/** Writes that an admission webhook holds up: they are waited for, and the words of the API server are kept. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type JsonObject, textAt } from '../../src/domain/cluster/json.ts'
import { compose } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

const port = 8443
const kinds = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'

/** The address of a pod that accepts connections and never says anything. */
const silentPod = async ({ create, get }: Space): Promise<string> => {
  const command = ['nc', '-ll', '-p', `${port}`, '-e', 'sleep', '3600']
  await create('Pod', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'silent' },
    spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'silent', image: 'busybox:latest', command }] },
  })
  let address: string | undefined
  await until('the pod runs', async () => {
    const pod = await get('Pod', 'silent')
    address = textAt(pod, 'status', 'phase') === 'Running' ? textAt(pod, 'status', 'podIP') : undefined
    return address !== undefined
  })
  return address ?? ''
}

const scoped = (name: string, namespace: string, webhook: JsonObject): JsonObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name },
  webhooks: [
    {
      name: 'slow.example.com',
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      rules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...webhook,
    },
  ],
})

/** Deploys a service while a webhook is asked about its Deployment that does not answer. */
const deployBehind = async (space: Space, { api }: Lab, webhook: JsonObject) => {
  const { namespace } = space
  const clientConfig = { url: `https://${await silentPod(space)}:${port}/` }
  const body = JSON.stringify(scoped(namespace, namespace, { clientConfig, ...webhook }))
  const made = await api.send({ method: 'POST', path: kinds, body, type: 'application/json' })
  assert.is(made.status, 201, made.body)
  try {
    space.write('compose.yaml', compose({ web: ['image: busybox:latest', 'command: ["sleep", "3600"]'] }))
    return await space.run('deploy')
  } finally {
    await api.send({ method: 'DELETE', path: `${kinds}/${namespace}` })
  }
}

const test = suite('webhooks')

await scenarios(test, [
  {
    title: 'a write that a webhook holds up succeeds, and the progress says what is waited for',
    space: 'slow',
    run: async (space, lab) => {
      const ended = await deployBehind(space, lab, { failurePolicy: 'Ignore', timeoutSeconds: 30 })
      assert.is(ended.status, 0, shown(ended))
      assert.ok(
        /waiting for the API server: \w+ Deployment\/web .*\(5 s, no response\)/.test(ended.stderr),
        shown(ended),
      )
    },
  },
  {
    title: 'a webhook that does not answer is named in the words of the API server',
    space: 'never',
    run: async (space, lab) => {
      const ended = await deployBehind(space, lab, { failurePolicy: 'Fail', timeoutSeconds: 6 })
      assert.is(ended.status, 8, shown(ended))
      assert.match(
        ended.stderr,
        /DT3004: .* failed calling webhook "slow\.example\.com": .*(?:deadline exceeded|[Tt]imeout)/,
      )
      assert.match(ended.stderr, '`kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations')
    },
  },
])

test.run()
