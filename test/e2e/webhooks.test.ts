/** Writes that an admission webhook holds up: they are waited for, and the words of the API server are kept. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { x509Certificates } from '../../src/adapters/x509/certificates.ts'
import type { JsonObject } from '../../src/domain/cluster/json.ts'
import { isPodReady } from '../../src/domain/rollout/pod.ts'
import { compose } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

const port = 8443
const kinds = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'

/** Receives requests and never answers them; its Service is `silent`. */
const silentServer = async ({ create, get, namespace }: Space): Promise<JsonObject> => {
  const validity = { nowMs: Date.now(), days: 1 }
  const authority = x509Certificates.authority('webhooks', validity)
  const { certificate, key } = x509Certificates.issue(authority, [`silent.${namespace}.svc`], validity)
  const script = `require('https').createServer({ key: process.env.KEY, cert: process.env.CERT }, () => {}).listen(${port})`
  const env = Object.entries({ KEY: key, CERT: certificate }).map(([name, value]) => ({ name, value }))
  const container = { name: 'silent', image: 'node:22', command: ['node', '-e', script], env }
  await create('Service', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'silent' },
    spec: { selector: { app: 'silent' }, ports: [{ port: 443, targetPort: port }] },
  })
  const readinessProbe = { tcpSocket: { port }, periodSeconds: 1 }
  await create('Pod', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'silent', labels: { app: 'silent' } },
    spec: { terminationGracePeriodSeconds: 0, containers: [{ ...container, readinessProbe }] },
  })
  await until('the server is ready', async () => {
    const pod = await get('Pod', 'silent')
    return pod !== undefined && isPodReady(pod)
  })
  return {
    service: { name: 'silent', namespace },
    caBundle: Buffer.from(authority.certificate).toString('base64'),
  }
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
  const clientConfig = await silentServer(space)
  const body = JSON.stringify(scoped(namespace, namespace, { clientConfig, ...webhook }))
  const made = await api.send({ method: 'POST', path: kinds, body, type: 'application/json' })
  assert.is(made.status, 201, made.body)
  try {
    space.write('compose.yaml', compose({ web: ['image: busybox:latest', 'command: ["sleep", "3600"]'] }))
    return await space.run('deploy', '--loglevel', 'debug')
  } finally {
    await api.send({ method: 'DELETE', path: `${kinds}/${namespace}` })
  }
}

const test = suite('webhooks')

await scenarios(test, [
  {
    title: 'a write that a webhook holds up for half a minute is sent once, and the progress says what is waited for',
    space: 'slow',
    run: async (space, lab) => {
      const ended = await deployBehind(space, lab, { failurePolicy: 'Ignore', timeoutSeconds: 30 })
      assert.is(ended.status, 0, shown(ended))
      for (const seconds of [5, 15]) {
        const said = new RegExp(`waiting for the API server: \\w+ Deployment/web .*\\(${seconds} s, no response\\)`)
        assert.ok(said.test(ended.stderr), shown(ended))
      }
      assert.is(ended.stderr.match(/PATCH \S+\/deployments\/web\b/g)?.length, 1, shown(ended))
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
