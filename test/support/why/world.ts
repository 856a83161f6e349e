/** Broken services on a real cluster, in their own namespaces, all at the same time. */
import { homedir } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import { kubeClusters } from '../../../src/adapters/kube/clusters.ts'
import { nodeWriter } from '../../../src/adapters/node-fs/writer.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { at, type JsonObject, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { memoryHome } from '../../memory/home.ts'
import { pushForeignImage } from '../build/foreign-image.ts'
import { type ApiServer, connect, eachAtOnce } from '../kube/api-server.ts'
import { until } from '../process/until.ts'
import { allPlaces, brokenServices, type NamespaceKind, noNode } from './cases.ts'
import { saidOfNoNode } from './expected.ts'

export const places: Readonly<Record<NamespaceKind, string>> = {
  open: 'why-e2e',
  strict: 'why-e2e-strict',
  bounded: 'why-e2e-bounded',
}

export type WhyWorld = { readonly api: ApiServer; readonly cluster: Cluster; readonly hasForeignImage: boolean }

/** The current context of a kubeconfig, through the real adapter. */
export const clusterOf = async (file: string): Promise<Cluster> => {
  const clusters = kubeClusters({
    clock: systemClock,
    writer: nodeWriter(process.cwd()),
    store: memoryHome(),
    cwd: process.cwd(),
    env: process.env,
    home: homedir(),
    random: Math.random,
    isTerminal: false,
    say: () => {},
  })
  const known = await clusters.kubeconfig(file)()
  if (E.isLeft(known)) throw new Error(known.left.message)
  const cluster = await clusters.connect({ file, context: known.right.current ?? '' })()
  if (E.isLeft(cluster)) throw new Error(cluster.left.message)
  return cluster.right
}

const paths: Readonly<Record<string, string>> = {
  ConfigMap: 'api/v1/namespaces/NS/configmaps',
  Deployment: 'apis/apps/v1/namespaces/NS/deployments',
  Ingress: 'apis/networking.k8s.io/v1/namespaces/NS/ingresses',
  Job: 'apis/batch/v1/namespaces/NS/jobs',
  LimitRange: 'api/v1/namespaces/NS/limitranges',
  Pod: 'api/v1/namespaces/NS/pods',
  PersistentVolume: 'api/v1/persistentvolumes',
  PersistentVolumeClaim: 'api/v1/namespaces/NS/persistentvolumeclaims',
  ResourceQuota: 'api/v1/namespaces/NS/resourcequotas',
  Secret: 'api/v1/namespaces/NS/secrets',
  Service: 'api/v1/namespaces/NS/services',
  ValidatingAdmissionPolicy: 'apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  ValidatingWebhookConfiguration: 'apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
}

type NamespacedObject = { readonly namespace: string; readonly object: JsonObject }

const pathOf = ({ namespace, object }: NamespacedObject): string =>
  `/${(paths[textAt(object, 'kind') ?? ''] ?? '').replace('NS', namespace)}`

const isWorkload = ({ object }: NamespacedObject): boolean =>
  ['Deployment', 'Job', 'Pod'].includes(textAt(object, 'kind') ?? '')
const isOfCluster = (thing: NamespacedObject): boolean => !pathOf(thing).includes('/namespaces/')

const things: ReadonlyArray<NamespacedObject> = allPlaces.flatMap((place) =>
  Object.values(brokenServices[place])
    .flat()
    .map((object) => ({ namespace: places[place], object })),
)

const post = async (api: ApiServer, path: string, body: JsonObject, query = ''): Promise<number> => {
  const { status } = await api.send({
    method: 'POST',
    path: path + query,
    body: JSON.stringify(body),
    type: 'application/json',
  })
  return status
}

const make = async (api: ApiServer, thing: NamespacedObject): Promise<void> => {
  const status = await post(api, pathOf(thing), thing.object)
  if (status !== 201) throw new Error(`${pathOf(thing)} returned ${status}`)
}

/** Policies are enforced only after a moment. */
const untilPoliciesHold = async (api: ApiServer): Promise<void> => {
  const policy = things.find(({ object }) => textAt(object, 'metadata', 'name') === 'policy')
  const template = at(policy?.object, 'spec', 'template')
  const labels = at(template, 'metadata', 'labels') ?? null
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'try', labels }, spec: at(template, 'spec') ?? null }
  const isRefused = async (): Promise<boolean> =>
    (await post(api, `/api/v1/namespaces/${places.open}/pods`, pod, '?dryRun=All')) !== 201
  await until('the policy is enforced', isRefused)
}

const makeNamespace = async (api: ApiServer, place: NamespaceKind): Promise<void> => {
  const labels: JsonObject = place === 'strict' ? { 'pod-security.kubernetes.io/enforce': 'restricted' } : {}
  const metadata = { name: places[place], labels }
  const status = await post(api, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata })
  if (status !== 201) throw new Error(`namespace ${places[place]} returned ${status}: is it left of another run?`)
}

/** Writes the status of pods on nodes that do not exist, in place of a kubelet. */
export const speakForNoNode = async (api: ApiServer): Promise<void> => {
  const path = `/api/v1/namespaces/${places.open}/pods`
  const { body } = await api.send({ method: 'GET', path: `${path}?fieldSelector=spec.nodeName%3D${noNode}` })
  await eachAtOnce(listAt(JSON.parse(body), 'items'), async (pod) => {
    const status = saidOfNoNode(textAt(pod, 'metadata', 'labels', 'dev.devtool/service') ?? '')
    if (status === undefined) return
    await api.send({
      method: 'PATCH',
      path: `${path}/${textAt(pod, 'metadata', 'name')}/status`,
      body: JSON.stringify({ status }),
      type: 'application/merge-patch+json',
    })
  })
}

export const breakServices = async (kubeconfig: string | undefined): Promise<WhyWorld> => {
  const api = await connect(kubeconfig)
  process.stdout.write(`cluster ${api.name}, namespaces ${Object.values(places).join(', ')}\n`)
  const cluster = await clusterOf(kubeconfig ?? '')
  const registry = `http://${new URL(cluster.server).hostname}:5000`
  const [hasForeignImage] = await Promise.all([
    pushForeignImage(registry, 'why-e2e/other-architecture', '1'),
    ...allPlaces.map((place) => makeNamespace(api, place)),
  ])
  await eachAtOnce(
    things.filter((thing) => !isWorkload(thing)),
    (thing) => make(api, thing),
  )
  await untilPoliciesHold(api)
  await eachAtOnce(things.filter(isWorkload), (thing) => make(api, thing))
  return { api, cluster, hasForeignImage }
}

export const cleanUp = async ({ api, cluster }: WhyWorld): Promise<void> => {
  const named = things
    .filter(isOfCluster)
    .map((thing) => `${pathOf(thing)}/${textAt(thing.object, 'metadata', 'name')}`)
  const namespaces = Object.values(places).map((name) => `/api/v1/namespaces/${name}`)
  await eachAtOnce([...named, ...namespaces], (path) => api.send({ method: 'DELETE', path }))
  cluster.close()
  api.close()
}
