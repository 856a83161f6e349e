/**
 * Every class of cause on a real cluster ($KUBECONFIG): one broken service for each, all at the same time, and what
 * `why` says of it as a golden in `golden/why`. Nothing but namespaces, and what carries their name, is made.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { why } from '../../src/app/inspect/why.ts'
import { viewed } from '../../src/cli/view/view.ts'
import { showWhy } from '../../src/cli/view/why.ts'
import { textAt } from '../../src/domain/cluster/json.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { eachAtOnce } from '../support/kube/api-server.ts'
import { allPlaces, brokenServices, type NamespaceKind } from '../support/why/cases.ts'
import { expectedCodes, normal } from '../support/why/expected.ts'
import { goldenOf, isUpdate, keptIn } from '../support/why/golden.ts'
import { lifecycles } from '../support/why/lifecycle-cases.ts'
import { environment } from '../support/why/objects.ts'
import { typedFrom } from '../support/why/printed.ts'
import { programs } from '../support/why/program-cases.ts'
import { record } from '../support/why/recording.ts'
import { breakServices, cleanUp, clusterOf, places, speakForNoNode, type WhyWorld } from '../support/why/world.ts'

const test = suite<{ world?: WhyWorld }>('why')
const longestMs = 300_000

test.before(async (context) => {
  try {
    context.world = await breakServices(process.env['KUBECONFIG'])
  } catch (cause) {
    process.stderr.write(`\n${cause instanceof Error ? cause.message : String(cause)}\n`)
    throw cause
  }
})

test.after(async ({ world }) => {
  if (world !== undefined) await cleanUp(world)
})

const worldIn = ({ world }: { world?: WhyWorld }): WhyWorld => {
  if (world === undefined) throw new Error('there is no world')
  return world
}

const ask = async (cluster: Cluster, place: NamespaceKind, service: string) => {
  const target = { cluster, namespace: places[place] }
  return viewed(await why({ clock: systemClock })({ target, environment, service }), (told) => showWhy('text', told))
}

const textOf = ({ output }: Awaited<ReturnType<typeof ask>>): string => normal(typeof output === 'string' ? output : '')

const recordedWith: Readonly<Record<string, string>> = {
  'name-unknown': 'healthy',
  'name-unknown-loop': 'healthy',
  'port-awaited': 'port-awaiting',
  'port-awaiting': 'port-awaited',
}

type Class = { readonly place: NamespaceKind; readonly service: string }

type NewGolden = { readonly cluster: Cluster; readonly path: string; readonly text: string } & Class

/** The golden, and what it was made of. */
const keep = async ({ cluster, path, place, service, text }: NewGolden): Promise<void> => {
  writeFileSync(path, text)
  if (!(service in programs || service in lifecycles)) return
  const other = recordedWith[service]
  const kept = await record(cluster, places[place], [service, ...(other === undefined ? [] : [other])])
  writeFileSync(path.replace(/\.txt$/, '.json'), `${JSON.stringify(kept, undefined, 1)}\n`)
}

/** What is still other than it should be; `undefined` once it is right. */
const differs = async ({ cluster }: WhyWorld, { place, service }: Class): Promise<string | undefined> => {
  const outcome = await ask(cluster, place, service)
  const [code, text, path] = [outcome.findings[0]?.code, textOf(outcome), goldenOf(`why/${service}`)]
  if (code !== expectedCodes[service]) return `${service}: ${code} in place of ${expectedCodes[service]}\n${text}`
  if (isUpdate) await keep({ cluster, path, place, service, text })
  return text === keptIn(path) ? undefined : `${service}: other than its golden\n${text}`
}

/** Broken things take their time until they are broken in the way they are meant to be. */
const settled = async (world: WhyWorld, all: ReadonlyArray<Class>): Promise<ReadonlyArray<string>> => {
  const until = systemClock.now() + longestMs
  let left = all
  for (;;) {
    await systemClock.sleep(4000)
    await speakForNoNode(world.api)
    const found = await eachAtOnce(left, async (each) => ({ each, difference: await differs(world, each) }))
    left = found.flatMap(({ difference, each }) => (difference === undefined ? [] : [each]))
    if (left.length === 0 || systemClock.now() > until) return found.flatMap(({ difference }) => difference ?? [])
  }
}

const classes = allPlaces.flatMap((place) =>
  Object.keys(brokenServices[place])
    .filter((service) => service !== 'healthy')
    .map((service) => ({ place, service })),
)

test('every class of cause is recognised on a real cluster', async (context) => {
  const world = worldIn(context)
  const wanted = classes.filter(({ service }) => service !== 'image-architecture' || world.hasForeignImage)
  const missed = await settled(world, wanted)
  assert.is(missed.join('\n'), '')
})

test('every printed command works as it is, also without a kubeconfig in the environment', async () => {
  const flags = `--name ${environment} --kubeconfig ${process.env['KUBECONFIG']}`
  const { commands, reports } = await typedFrom(
    Object.values(places).map((namespace) => `devtool why ${flags} --namespace ${namespace}`),
  )
  assert.equal(
    reports.map(({ status }) => status),
    reports.map(() => 1),
  )
  assert.ok(commands.length > 40, `only ${commands.length} commands were printed`)
  // Pods on a node that does not exist are deleted and made anew meanwhile.
  const gone = commands.filter(({ stderr }) =>
    /\(NotFound\): pods "(?:image-registry|image-rights)-\S+" not found/.test(stderr),
  )
  // `why` of a broken service ends with 1.
  const failed = commands.filter(
    (command) => !gone.includes(command) && command.status !== (command.line.startsWith('devtool why') ? 1 : 0),
  )
  assert.is(failed.map(({ line, status, stderr }) => `${line}: ${status} ${stderr}`).join('\n'), '')
})

test('a healthy service is reported in one line', async (context) => {
  const outcome = await ask(worldIn(context).cluster, 'open', 'healthy')
  assert.equal(outcome.findings, [])
  assert.is(outcome.output, 'healthy: healthy\n')
})

const readers = (namespace: string, name: string) =>
  [
    [
      `/api/v1/namespaces/${namespace}/serviceaccounts`,
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } },
    ],
    [
      `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`,
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name },
        rules: [
          { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
          { apiGroups: ['apps'], resources: ['deployments', 'replicasets'], verbs: ['list'] },
        ],
      },
    ],
    [
      `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`,
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
        subjects: [{ kind: 'ServiceAccount', name, namespace }],
      },
    ],
  ] as const

/** A kubeconfig of somebody who may list pods and Deployments and nothing else. */
const kubeconfigOfReader = async ({ api, cluster }: WhyWorld, folder: string): Promise<string> => {
  const type = 'application/json'
  for (const [path, body] of readers(places.open, 'reader')) {
    await api.send({ method: 'POST', path, body: JSON.stringify(body), type })
  }
  const path = `/api/v1/namespaces/${places.open}/serviceaccounts/reader/token`
  const { body } = await api.send({ method: 'POST', path, body: '{"spec":{"expirationSeconds":600}}', type })
  const file = join(folder, 'config')
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'reader',
      clusters: [{ name: 'c', cluster: { server: cluster.server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token: textAt(JSON.parse(body), 'status', 'token') } }],
      contexts: [{ name: 'reader', context: { cluster: 'c', user: 'u', namespace: places.open } }],
    }),
  )
  return file
}

test('kinds without permission to read are left out, with a note', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'why-'))
  const cluster = await clusterOf(await kubeconfigOfReader(worldIn(context), folder))
  try {
    const { findings, said } = await ask(cluster, 'open', 'crash')
    assert.equal(
      findings.map(({ code, severity }) => `${severity} ${code}`),
      ['error DT3207', 'warning DT3003'],
    )
    assert.equal(said, [
      'not allowed to list StatefulSet, DaemonSet, Job, PersistentVolumeClaim, Event, Service, Ingress in namespace why-e2e: causes that only they show are missing',
    ])
  } finally {
    cluster.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a missing environment ends with status 5', async (context) => {
  const target = { cluster: worldIn(context).cluster, namespace: places.open }
  const outcome = await why({ clock: systemClock })({ target, environment: 'nobody' })
  assert.equal(
    outcome.findings.map(({ code }) => code),
    ['DT3407'],
  )
})

test.run()
