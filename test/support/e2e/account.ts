/** A service account with the built-in role `edit` in one namespace, and a kubeconfig with its token. */
import { readFileSync } from 'node:fs'
import { KubeConfig } from '@kubernetes/client-node'
import { textAt } from '../../../src/domain/cluster/json.ts'
import type { Lab, Space } from './e2e.ts'

const post = async ({ api }: Lab, path: string, body: object) => {
  const answer = await api.send({ method: 'POST', path, body: JSON.stringify(body), type: 'application/json' })
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.body}`)
  return JSON.parse(answer.body)
}

export type Account = { readonly kubeconfig: string; readonly context: string; readonly token: string }

export const editorOf = async (lab: Lab, space: Space): Promise<Account> => {
  const { namespace } = space
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`
  await post(lab, accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'editor' } })
  await post(lab, `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'editor' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ kind: 'ServiceAccount', name: 'editor', namespace }],
  })
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const token = textAt(await post(lab, `${accounts}/editor/token`, review), 'status', 'token') ?? ''
  const config = new KubeConfig()
  config.loadFromString(readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8'))
  const cluster = config.getCurrentCluster()
  const kubeconfig = space.write(
    'kubeconfig',
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'editor',
      clusters: [{ name: 'it', cluster: { server: cluster?.server, 'certificate-authority-data': cluster?.caData } }],
      users: [{ name: 'editor', user: { token } }],
      contexts: [{ name: 'editor', context: { cluster: 'it', user: 'editor', namespace } }],
    }),
  )
  return { kubeconfig, context: 'editor', token }
}
