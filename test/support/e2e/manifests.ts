/** A namespace of a real API server ($KUBECONFIG), to which manifests are sent as dry runs: nothing is stored. */
import * as assert from 'uvu/assert'
import { printYaml } from '../../../src/domain/print/yaml.ts'
import { type Files, objectsOf, translateFiles } from '../compose/project.ts'
import { type ApiServer, connect, eachAtOnce } from '../kube/api-server.ts'

export type ManifestWorld = { api: ApiServer; namespace: string }

const prepare = async (labels: Readonly<Record<string, string>>): Promise<ManifestWorld> => {
  const api = await connect(process.env['KUBECONFIG'])
  const namespace = `devtool-e2e-${Date.now().toString(36)}-${process.pid}`
  process.stdout.write(`cluster ${api.name}, namespace ${namespace}\n`)
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } })
  const made = await api.send({ method: 'POST', path: '/api/v1/namespaces', body, type: 'application/json' })
  assert.is(made.status, 201, made.body)
  return { api, namespace }
}

/** The runner does not show why a hook failed. */
export const openManifests = async (
  world: ManifestWorld,
  labels: Readonly<Record<string, string>> = {},
): Promise<void> => {
  try {
    Object.assign(world, await prepare(labels))
  } catch (cause) {
    process.stderr.write(`\n${cause instanceof Error ? cause.message : String(cause)}\n`)
    throw cause
  }
}

export const closeManifests = async ({ api, namespace }: Partial<ManifestWorld>): Promise<void> => {
  if (api === undefined) return
  const gone = await api.send({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` })
  api.close()
  assert.is(gone.status, 200, gone.body)
}

const plurals: Readonly<Record<string, string>> = {
  Deployment: 'apis/apps/v1/deployments',
  StatefulSet: 'apis/apps/v1/statefulsets',
  DaemonSet: 'apis/apps/v1/daemonsets',
  Job: 'apis/batch/v1/jobs',
  Service: 'api/v1/services',
  Ingress: 'apis/networking.k8s.io/v1/ingresses',
  PersistentVolumeClaim: 'api/v1/persistentvolumeclaims',
  ConfigMap: 'api/v1/configmaps',
  Secret: 'api/v1/secrets',
  Pod: 'api/v1/pods',
}
const query = 'dryRun=All&fieldManager=devtool&fieldValidation=Strict&force=true'

export type Printed = { readonly kind: string; readonly name: string; readonly body: string }

/** The server's response to one printed object. */
export const applyPrinted = ({ api, namespace }: ManifestWorld, { body, kind, name }: Printed) => {
  const [plural = '', ...group] = (plurals[kind] ?? '').split('/').toReversed()
  const path = `/${group.toReversed().join('/')}/namespaces/${namespace}/${plural}/${encodeURIComponent(name)}?${query}`
  return api.send({ method: 'PATCH', path, body, type: 'application/apply-patch+yaml' })
}

/** The server's error messages for these objects. */
export const refusals = async (
  world: ManifestWorld,
  objects: ReadonlyArray<Printed>,
): Promise<ReadonlyArray<string>> => {
  const answers = await eachAtOnce(objects, async (printed) => {
    const { status, body } = await applyPrinted(world, printed)
    if (status === 200 || status === 201) return []
    return [`${printed.kind}/${printed.name}: ${status} ${JSON.parse(body).message}`]
  })
  return answers.flat()
}

export const printedOf = (files: Files): ReadonlyArray<Printed> =>
  objectsOf(translateFiles(files)).map((object) => ({
    kind: object.kind,
    name: object.metadata.name,
    body: printYaml(object),
  }))
