/**
 * Admission webhooks: writes that one holds up are waited for, the words of the API server are kept, and what one changes
 * is changed by no other deploy.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { x509Certificates } from '../../src/adapters/x509/certificates.ts'
import { type JsonObject, listAt, textAt } from '../../src/domain/cluster/json.ts'
import { isPodReady } from '../../src/domain/rollout/pod.ts'
import { compose } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

const port = 8443
const group = '/apis/admissionregistration.k8s.io/v1'

/** Receives requests and never answers them. */
const silent = '() => {}'

/** Pulls the images of Deployments from where they come from by default, and names it. */
const renaming = `(asked, answer) => {
  let text = ''
  asked.on('data', (part) => { text += part })
  asked.on('end', () => {
    const { request } = JSON.parse(text)
    const containers = request.object.spec.template.spec.containers
    const patch = containers.flatMap(({ image }, index) =>
      image.includes('/') ? [] : [{ op: 'replace', path: '/spec/template/spec/containers/' + index + '/image', value: 'docker.io/library/' + image }])
    const response = { uid: request.uid, allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }
    answer.setHeader('content-type', 'application/json')
    answer.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }))
  })
}`

/** Its Service is `silent`. */
const webhookServer = async ({ create, get, namespace }: Space, handler: string): Promise<JsonObject> => {
  const validity = { nowMs: Date.now(), days: 1 }
  const authority = x509Certificates.authority('webhooks', validity)
  const { certificate, key } = x509Certificates.issue(authority, [`silent.${namespace}.svc`], validity)
  const script = `require('https').createServer({ key: process.env.KEY, cert: process.env.CERT }, ${handler}).listen(${port})`
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

type Kind = 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration'

const scoped = (kind: Kind, name: string, namespace: string, webhook: JsonObject): JsonObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
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

const sample = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'tried' },
  spec: {
    selector: { matchLabels: { app: 'tried' } },
    template: { metadata: { labels: { app: 'tried' } }, spec: { containers: [{ name: 'tried', image: 'tried' }] } },
  },
}

/** The API server takes up a webhook after a moment. Then nothing is answered, or the image is renamed. */
const isAsked = async (api: Lab['api'], namespace: string): Promise<boolean> => {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments?dryRun=All`
  const sent = api.send({ method: 'POST', path, body: JSON.stringify(sample), type: 'application/json' })
  const answer = await Promise.race([sent, sleep(2000, undefined)])
  return answer === undefined || answer.body.includes('docker.io/library/tried')
}

/** Uses the namespace while a webhook is asked about its Deployments. */
const behind = async <A>(
  space: Space,
  { api }: Lab,
  [kind, handler, webhook]: readonly [Kind, string, JsonObject],
  use: () => Promise<A>,
): Promise<A> => {
  const { namespace } = space
  const clientConfig = await webhookServer(space, handler)
  const path = `${group}/${kind.toLowerCase()}s`
  const body = JSON.stringify(scoped(kind, namespace, namespace, { clientConfig, ...webhook }))
  const made = await api.send({ method: 'POST', path, body, type: 'application/json' })
  assert.is(made.status, 201, made.body)
  try {
    await until('the webhook is asked', () => isAsked(api, namespace))
    return await use()
  } finally {
    await api.send({ method: 'DELETE', path: `${path}/${namespace}` })
  }
}

/** Deploys a service while the webhook does not answer. */
const deployBehind = (space: Space, lab: Lab, webhook: JsonObject) =>
  behind(space, lab, ['ValidatingWebhookConfiguration', silent, webhook], () => {
    space.write('compose.yaml', compose({ web: ['image: busybox:latest', 'command: ["sleep", "3600"]'] }))
    return space.run('deploy', '--loglevel', 'debug')
  })

const mutated = async (space: Space, lab: Lab): Promise<void> => {
  const web = (seconds: number) => [
    'image: busybox:latest',
    `command: ["sleep", "${seconds}"]`,
    'stop_grace_period: 1s',
  ]
  const rules = [
    { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['deployments'] },
  ]
  await behind(space, lab, ['MutatingWebhookConfiguration', renaming, { rules }], async () => {
    space.write('compose.yaml', compose({ web: web(3600), api: web(3600) }))
    await space.must('deploy', '--wait')
    const before = await space.list('Deployment')
    assert.equal(
      before.map((live) => textAt(listAt(live, 'spec', 'template', 'spec', 'containers')[0], 'image')),
      ['docker.io/library/busybox:latest', 'docker.io/library/busybox:latest'],
    )
    const generations = async () => (await space.list('Deployment')).map(({ metadata }) => metadata.generation)
    const first = await generations()
    await space.must('deploy', '--wait')
    assert.equal(await generations(), first)
    assert.is((await space.must('deploy', '--diff')).stdout, '')
    const tried = await space.must('deploy', '--dry-run=server')
    assert.match(tried.stdout, /^same +Deployment\/web$/m)
    space.write('compose.yaml', compose({ web: web(3601), api: web(3600) }))
    await space.must('deploy', '--wait')
    const changed = (await generations()).map((generation, index) => generation !== first[index])
    assert.equal(changed, [false, true], 'only web has changed')
  })
}

const test = suite('webhooks')

await scenarios(test, [
  {
    title: 'a write that a webhook holds up for half a minute is sent once, and the progress says what is waited for',
    space: 'slow',
    run: async (space, lab) => {
      const ended = await deployBehind(space, lab, { failurePolicy: 'Ignore', timeoutSeconds: 30 })
      assert.is(ended.status, 0, shown(ended))
      const said = ended.stderr.matchAll(/waiting for the API server: \w+ Deployment\/web .*\((\d+) s, no response\)/g)
      const [first = 0, second = 0] = Array.from(said, ([, seconds]) => Number(seconds))
      assert.ok(first >= 5 && second >= 15, shown(ended))
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
  { title: 'what a webhook changes is left as it is by the next deploy', space: 'mutated', run: mutated },
])

test.run()
