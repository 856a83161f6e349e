/** What is brought back from a backup is what was there, and a file that is anything else brings nothing. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as C from '../../../src/domain/checked.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { isSameJson } from '../../../src/domain/cluster/same-json.ts'
import { tokenObject, userObject } from '../../../src/domain/platform/account.ts'
import { backupOf, printBackup, readBackup } from '../../../src/domain/platform/backup/file.ts'
import { keptOf } from '../../../src/domain/platform/backup/kept.ts'
import { withoutUsual, withUsual } from '../../../src/domain/platform/backup/objects.ts'
import { restorationOf } from '../../../src/domain/platform/backup/restoration.ts'
import { userIdOf } from '../../../src/domain/platform/names.ts'
import { everybodyBinding } from '../../../src/domain/platform/namespace/everybody.ts'
import { bindingObject, namespaceObject, templateOf } from '../../../src/domain/platform/namespace/objects.ts'
import { pinObject } from '../../../src/domain/platform/pin.ts'
import { TOKEN_BYTES, tokenFrom } from '../../../src/domain/platform/token.ts'
import { changedVariables } from '../../../src/domain/platform/variables.ts'
import { printYamlStream } from '../../../src/domain/print/yaml.ts'
import {
  account,
  bound,
  changed,
  clusterAdmin,
  complete,
  ISSUER,
  labelled,
  lived,
  member,
  moved,
  shop,
} from '../../support/platform/kept-objects.ts'

const words = fc.string({ unit: 'grapheme', maxLength: 12 })
const person = fc.integer({ min: 0, max: 5 }).map((number) => ({
  id: userIdOf(ISSUER, `p${number}`),
  subject: `p${number}`,
  email: `p${number}@example.com`,
}))
const user = fc
  .tuple(person, fc.boolean(), fc.boolean(), words)
  .map(([one, isAdmin, isDisabled, epoch]) =>
    userObject({ ...one, isAdmin, isDisabled, epoch }, { issuer: ISSUER, subject: one.subject }),
  )
const token = fc
  .tuple(person, fc.uint8Array({ minLength: TOKEN_BYTES, maxLength: TOKEN_BYTES }), words, fc.boolean())
  .map(([{ id }, bytes, name, isOfLogin]) =>
    tokenObject(tokenFrom(bytes), {
      ...{ user: id, name, isOfLogin, epoch: '', scope: { _tag: 'All' }, expires: '2100-01-01T00:00:00Z' },
    }),
  )
const pin = person.map((one) => pinObject(one.email, { issuer: ISSUER, subject: one.subject, user: one.id }))
const variablesIn = (namespace: string) =>
  fc
    .tuple(fc.stringMatching(/^[A-Z]{1,4}$/), words)
    .map(([name, value]) => changedVariables({ namespace, before: undefined, name, value }))

/** A namespace with members, variables, and maybe another quota than the usual one. */
const tenant = fc
  .record({
    name: fc.constantFrom('shop', 'blog', 'web1', 'team-x'),
    kind: fc.constantFrom('namespace' as const, 'preview' as const),
    owner: person,
    members: fc.uniqueArray(fc.tuple(person, fc.constantFrom('owner' as const, 'member' as const, 'viewer' as const)), {
      selector: ([{ id }, role]) => `${id} ${role}`,
    }),
    isOpen: fc.boolean(),
    hosts: fc.option(words),
    pods: fc.option(fc.nat(500)),
  })
  .chain(({ hosts, isOpen, kind, members, name, owner, pods }) =>
    variablesIn(name).map(
      (variables): ReadonlyArray<JsonObject> => [
        complete(namespaceObject(name, kind, owner.id), hosts === null ? {} : { 'dev.devtool/hosts': hosts }),
        ...templateOf(name).map(({ kind: of, object }) =>
          of === 'ResourceQuota' && pods !== null ? { ...object, spec: { hard: { pods: String(pods) } } } : object,
        ),
        ...members.map(([one, role]) => bindingObject(name, one, role)),
        ...(isOpen ? [everybodyBinding(name)] : []),
        variables,
      ],
    ),
  )

const keyText = (object: JsonObject): string =>
  JSON.stringify([object['kind'], textAt(object, 'metadata', 'namespace'), textAt(object, 'metadata', 'name')])

const platform = fc
  .tuple(
    fc.array(user),
    fc.array(token, { maxLength: 4 }),
    fc.array(pin, { maxLength: 2 }),
    fc.uniqueArray(tenant, { maxLength: 3, selector: (all) => textAt(all[0], 'metadata', 'name') }),
    variablesIn('devtool-system'),
  )
  .map(([users, tokens, pins, tenants, shared]) => {
    const all = [...users, ...tokens, ...pins, ...tenants.flat(), shared]
    return [...new Map(all.map((object) => [keyText(object), object])).values()].map(lived)
  })

const written = (live: ReadonlyArray<ClusterObject>): string => printBackup('https://p.test', backupOf(live))

test('a backup restored to an empty cluster gives the original objects, in any order, once each', () => {
  fc.assert(
    fc.property(platform, (live) => {
      const made = backupOf(live)
      assert.equal(made.left, [])
      const file = written(live)
      assert.is(written(live.toReversed()), file)
      const read = C.valueOf(readBackup('b.yaml', file)) ?? []
      assert.equal(
        read.map(({ object }) => object),
        made.objects.map(({ object }) => JSON.parse(JSON.stringify(object))),
      )
      const { conflicts, missing, there } = restorationOf(read, [])
      assert.equal([conflicts, there], [[], 0])
      const created = missing.map(({ object }) => lived(object))
      assert.is(written(created), file)
      const wanted = new Map(live.map((object) => [keyText(object), keptOf(object)]))
      for (const object of created) {
        assert.ok(isSameJson(keptOf(object) ?? null, wanted.get(keyText(object)) ?? null), keyText(object))
      }
      assert.is(created.length, live.length)
      assert.equal(restorationOf(read, created), { conflicts: [], missing: [], there: created.length })
    }),
    { numRuns: 60 },
  )
})

test('stored fields are complete, and defaults are restored', () => {
  fc.assert(
    fc.property(platform, (live) => {
      const { objects: all } = backupOf(live)
      for (const { object } of all) assert.ok(isSameJson(keptOf(object) ?? null, object))
      const whole = withUsual(all)
      assert.equal(withUsual(withoutUsual(whole)), whole)
    }),
    { numRuns: 30 },
  )
})

/** Of a mapping that has only what the platform gives meaning to. */
const isFree = (path: ReadonlyArray<string>): boolean => ['data', 'spec'].includes(path[0] ?? '')

const mappings = (json: Json, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  isObject(json)
    ? [path, ...Object.entries(json).flatMap(([key, value = null]) => mappings(value, [...path, key]))].filter(
        (one) => !isFree(one),
      )
    : []

const withAt = (json: Json, [first, ...rest]: ReadonlyArray<string>, key: string, value: Json): Json => {
  if (!isObject(json)) return json
  return first === undefined
    ? { ...json, [key]: value }
    : { ...json, [first]: withAt(json[first] ?? null, rest, key, value) }
}

test('an unknown field is found wherever it is', () => {
  fc.assert(
    fc.property(platform, fc.nat(), fc.nat(), (live, which, where) => {
      const all = backupOf(live).objects.map(({ object }) => object)
      const target = all[which % all.length]
      if (target === undefined) return
      const places = mappings(target)
      const worse = withAt(target, places[where % places.length] ?? [], 'finalizers', ['x'])
      const file = printYamlStream(all.map((object): JsonObject => (object === target ? Object(worse) : object)))
      assert.ok(C.findings(readBackup('b.yaml', file)).some(({ code }) => code === 'DT6308'))
    }),
    { numRuns: 60 },
  )
})

const hostile: Readonly<Record<string, JsonObject>> = {
  'another kind': { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'shop' }, spec: {} },
  'a role for the cluster': {
    ...{
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'x' },
      roleRef: clusterAdmin,
    },
    subjects: [{ kind: 'ServiceAccount', name: member.id, namespace: 'devtool-users' }],
  },
  'another role': changed(bound, { roleRef: clusterAdmin }),
  'another subject': changed(bound, { subjects: [{ kind: 'User', name: 'system:anonymous' }] }),
  'an account of another namespace': changed(bound, {
    subjects: [{ kind: 'ServiceAccount', name: member.id, namespace: 'default' }],
  }),
  'all users as members': changed(everybodyBinding('shop'), { roleRef: bound['roleRef'] }),
  'a binding in kube-system': moved(bound, { namespace: 'kube-system' }),
  'a namespace of the cluster': moved(shop, { name: 'kube-public' }),
  'a namespace of the platform itself': moved(shop, { name: 'devtool-system' }),
  'a privileged namespace': labelled(shop, { 'pod-security.kubernetes.io/enforce': 'privileged' }),
  'a namespace that is not managed': labelled(shop, { 'dev.devtool/managed': 'false' }),
  'a label of others': labelled(shop, { 'istio-injection': 'enabled' }),
  'a namespace that is a number': moved(account, { namespace: 7 }),
  'an account of the platform': moved(account, { name: 'devtool-api', namespace: 'devtool-system' }),
  'an account that is nobody': moved(account, { name: 'root' }),
  'an account with Secrets': changed(account, { secrets: [{ name: 'x' }] }),
  'the key of sessions': {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data: { key: 'eA==' } },
    metadata: { name: 'devtool-session', namespace: 'devtool-system' },
  },
  'a token of an account of the cluster': {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/service-account-token', data: {} },
    metadata: { name: 'devtool-variables', namespace: 'shop' },
  },
  'variables of a namespace of the cluster': {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data: {} },
    metadata: { name: 'devtool-variables', namespace: 'kube-system' },
  },
  'a path as a name': moved(account, { name: '../../kube-system/secrets/x' }),
}

test('a namespace as earlier versions have made it is kept and read as it is', () => {
  const labels = { ...Object(shop['metadata']).labels, 'pod-security.kubernetes.io/warn': 'restricted' }
  delete labels['pod-security.kubernetes.io/audit']
  const old = { ...shop, metadata: { ...Object(shop['metadata']), labels } }
  const [kept] = backupOf([lived(old)]).objects
  assert.equal(Object(kept?.object['metadata']).labels, labels)
  assert.equal(C.findings(readBackup('b.yaml', printYamlStream([kept?.object ?? {}]))), [])
  assert.is(
    C.valueOf(
      readBackup('b.yaml', printYamlStream([labelled(shop, { 'pod-security.kubernetes.io/warn': 'privileged' })])),
    ),
    undefined,
  )
})

for (const [name, object] of Object.entries(hostile)) {
  test(`nothing is restored from a file with ${name}`, () => {
    const good = backupOf([shop, bound, account].map(lived)).objects.map((one) => one.object)
    assert.is(C.findings(readBackup('b.yaml', printYamlStream(good))).length, 0)
    const isReplaced = (one: JsonObject): boolean => keyText(one) === keyText(object)
    const read = readBackup('b.yaml', printYamlStream([...good.filter((one) => !isReplaced(one)), object]))
    assert.is(read._tag, 'Left')
    assert.ok(C.findings(read).every(({ code }) => code === 'DT6308'))
  })
}

test('parts may be removed from a file, but not a namespace without its contents, and duplicates are refused', () => {
  const good = backupOf([shop, bound, account].map(lived)).objects.map((one) => one.object)
  const says = (all: ReadonlyArray<JsonObject>): ReadonlyArray<string> =>
    C.findings(readBackup('b.yaml', printYamlStream(all))).map(({ message }) => message)
  const without = (kind: string) => good.filter((one) => one['kind'] !== kind)
  assert.equal(says(without('RoleBinding')), [])
  assert.equal(says(without('ServiceAccount')), [])
  assert.match(says(without('Namespace')).join('\n'), /RoleBinding\/.*its namespace is not in the file/)
  assert.match(says([...good, ...good.slice(0, 1)]).join('\n'), /document 4 .*it is there twice/)
  assert.match(says([]).join('\n'), /there is nothing in it/)
  assert.match(
    C.findings(readBackup('b.yaml', 'a: [\n'))
      .map(({ message }) => message)
      .join(),
    /document 1: invalid YAML/,
  )
})

test.run()
