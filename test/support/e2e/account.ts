/** Service accounts with rights in one namespace, and kubeconfigs with their tokens. */
import { readFileSync } from 'node:fs'
import { KubeConfig } from '@kubernetes/client-node/dist/config.js'
import { textAt } from '../../../src/domain/cluster/json.ts'
import type { Lab, Space } from './e2e.ts'

const post = async ({ api }: Lab, path: string, body: object) => {
  const answer = await api.send({ method: 'POST', path, body: JSON.stringify(body), type: 'application/json' })
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.body}`)
  return JSON.parse(answer.body)
}

export type Account = { readonly kubeconfig: string; readonly context: string; readonly token: string }

export type Rule = {
  readonly apiGroups: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  readonly verbs: ReadonlyArray<string>
}

const rbac = 'rbac.authorization.k8s.io'

type RoleName = { readonly kind: 'ClusterRole' | 'Role'; readonly name: string }

/** `namespace`: in which the account of the space gets the role. */
const bind = (lab: Lab, space: Space, account: string, role: RoleName, namespace: string): Promise<unknown> =>
  post(lab, `/apis/${rbac}/v1/namespaces/${namespace}/rolebindings`, {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: role.name },
    roleRef: { apiGroup: rbac, ...role },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace: space.namespace }],
  })

/** `role`: of the cluster, or of the namespace. */
const accountOf = async (lab: Lab, space: Space, name: string, role: RoleName): Promise<Account> => {
  const { namespace } = space
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`
  await post(lab, accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })
  await bind(lab, space, name, role, namespace)
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const token = textAt(await post(lab, `${accounts}/${name}/token`, review), 'status', 'token') ?? ''
  const config = new KubeConfig()
  config.loadFromString(readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8'))
  const cluster = config.getCurrentCluster()
  const kubeconfig = space.write(
    `../kubeconfig-${name}`,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name: 'it', cluster: { server: cluster?.server, 'certificate-authority-data': cluster?.caData } }],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: 'it', user: name, namespace } }],
    }),
  )
  return { kubeconfig, context: name, token }
}

/** One with the built-in role `edit`. */
export const editorOf = (lab: Lab, space: Space): Promise<Account> =>
  accountOf(lab, space, 'editor', { kind: 'ClusterRole', name: 'edit' })

const makeRole = async (lab: Lab, namespace: string, name: string, rules: ReadonlyArray<Rule>): Promise<RoleName> => {
  const role = { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name }, rules }
  await post(lab, `/apis/${rbac}/v1/namespaces/${namespace}/roles`, role)
  return { kind: 'Role', name }
}

export const accountWith = async (lab: Lab, space: Space, name: string, rules: ReadonlyArray<Rule>): Promise<Account> =>
  accountOf(lab, space, name, await makeRole(lab, space.namespace, name, rules))

/** Gives an account of the space rights in another namespace, too. */
export const allowIn = async (
  lab: Lab,
  space: Space,
  { context }: Account,
  namespace: string,
  rules: ReadonlyArray<Rule>,
): Promise<void> => {
  await bind(lab, space, context, await makeRole(lab, namespace, context, rules), namespace)
}
