import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { foundationFor } from '../../../src/domain/platform/manifests/foundation.ts'
import { policiesFor } from '../../../src/domain/platform/manifests/policies.ts'
import { rights } from '../../../src/domain/platform/manifests/rights.ts'
import type { RbacRule } from '../../../src/domain/platform/manifests/types.ts'

type Ruled = { readonly kind: string; readonly namespace: string | undefined; readonly rule: RbacRule }

const rules: ReadonlyArray<Ruled> = rights.flatMap((object) =>
  (object.kind === 'Role' || object.kind === 'ClusterRole' ? (object.rules ?? []) : []).map((rule) => ({
    kind: object.kind,
    namespace: object.metadata.namespace,
    rule,
  })),
)

const withVerb = (verb: string): ReadonlyArray<Ruled> => rules.filter(({ rule }) => rule.verbs.includes(verb))

test('no right of the platform has a wildcard, or allows it to grant more rights', () => {
  assert.ok(rules.length > 10)
  for (const { rule } of rules) {
    assert.not.ok([...rule.apiGroups, ...rule.resources, ...rule.verbs].some((part) => part.includes('*')))
  }
  assert.equal(withVerb('escalate'), [])
})

test('the platform binds users only to the roles of namespaces', () => {
  assert.equal(
    withVerb('bind').map(({ rule }) => rule),
    [
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['clusterroles'],
        verbs: ['bind'],
        resourceNames: ['devtool-owner', 'devtool-member', 'devtool-viewer'],
      },
    ],
  )
})

test('with a build service, the controller binds one more role, and only there', () => {
  const more = foundationFor({ builder: { mode: 'rootless', image: 'buildkit' }, proxies: [] }).flatMap((object) =>
    object.kind === 'Role' && object.metadata.name === 'devtool-controller' && !rights.includes(object)
      ? [{ namespace: object.metadata.namespace, rules: object.rules }]
      : [],
  )
  const apiGroups = ['rbac.authorization.k8s.io']
  assert.equal(more, [
    {
      namespace: 'devtool-builder',
      rules: [
        { apiGroups, resources: ['rolebindings'], verbs: ['create'] },
        { apiGroups, resources: ['roles'], verbs: ['bind'], resourceNames: ['devtool-users'] },
      ],
    },
  ])
  const there = foundationFor({ proxies: [] }).filter(({ metadata: { namespace } }) => namespace === 'devtool-builder')
  assert.equal(there, [])
})

test('the platform impersonates only accounts of users', () => {
  assert.equal(
    withVerb('impersonate').map(({ kind, namespace, rule: { resources } }) => ({ kind, namespace, resources })),
    [{ kind: 'Role', namespace: 'devtool-users', resources: ['serviceaccounts'] }],
  )
})

test('the platform reads Secrets only in its own two namespaces', () => {
  for (const { kind, namespace, rule } of rules) {
    const isRead = rule.resources.includes('secrets') && rule.verbs.join() !== 'create'
    if (isRead) assert.is(`${kind} ${namespace?.startsWith('devtool-')}`, 'Role true')
  }
})

const policies = policiesFor('apps.example.com')
const resourceRules = policies.flatMap(({ spec }) => spec.matchConstraints.resourceRules)

test('a policy restricts everything that the platform may write in all namespaces to its own', () => {
  const confined = new Set(
    policies
      .find(({ metadata: { name } }) => name === 'devtool-confine')
      ?.spec.matchConstraints.resourceRules.flatMap(({ apiGroups, resources }) =>
        resources.map((resource) => `${apiGroups.join()}/${resource}`),
      ),
  )
  const writes = new Set(['create', 'update', 'patch', 'delete'])
  const written = rules
    .filter(({ kind, rule }) => kind === 'ClusterRole' && rule.verbs.some((verb) => writes.has(verb)))
    .flatMap(({ rule }) => rule.resources.map((resource) => `${rule.apiGroups.join()}/${resource}`))
  assert.equal(
    written.filter((resource) => !confined.has(resource)),
    [],
  )
})

test('the controller, which may create Secrets in all namespaces, cannot create tokens of users', () => {
  const held = policies
    .filter(({ metadata: { name } }) => name === 'devtool-confine')
    .flatMap(({ spec }) => spec.validations)
    .filter(({ message }) => message.startsWith('the controller writes Secrets only'))
    .map(({ expression }) => expression)
  assert.is(held.length, 1)
  assert.match(held[0] ?? '', '"system:serviceaccount:devtool-system:devtool-controller"')
  assert.match(held[0] ?? '', 'request.resource.resource != "secrets"')
  assert.not.match(held[0] ?? '', '"devtool-users"')
})

test('a policy names its resources, and applies to namespaces or accounts of the platform only', () => {
  for (const { apiGroups, resources, scope } of resourceRules) {
    assert.not.ok([...apiGroups, ...resources].some((part) => part.includes('*')))
    assert.is(scope, resources.includes('namespaces') ? 'Cluster' : 'Namespaced')
  }
  for (const { metadata, spec } of policies) {
    const isOfAccounts = spec.matchConditions?.some(({ name }) => name === 'platform') === true
    const { namespaceSelector, resourceRules: own } = spec.matchConstraints
    const isOfNamespaces = namespaceSelector?.matchLabels['dev.devtool/managed'] === 'true'
    assert.ok(isOfAccounts || isOfNamespaces, metadata.name)
    // A selector of namespaces lets everything pass that is in none.
    if (isOfNamespaces)
      assert.ok(
        own.every(({ scope }) => scope === 'Namespaced'),
        metadata.name,
      )
  }
})

test('a domain is quoted in expressions', () => {
  const [text = ''] = policiesFor('a"b').flatMap(({ spec }) =>
    (spec.variables ?? []).flatMap(({ expression, name }) => (name === 'suffix' ? [expression] : [])),
  )
  assert.is(text, String.raw`"-" + request.namespace + ".a\"b"`)
})

test.run()
