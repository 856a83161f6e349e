import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resolveContext, resolveNamespace } from '../../../src/domain/context/resolve.ts'
import { contextName, readStore } from '../../../src/domain/context/store.ts'

const storeOf = (current: string | undefined) => {
  const read = readStore('config.json', JSON.stringify({ schema: 1, current, contexts: { kept: { namespace: 'n' } } }))
  if (E.isLeft(read)) throw new Error(read.left.message)
  return read.right
}

for (const [flag, variable, hasFile, store, kube, expected] of [
  ['flag', 'variable', false, 'kept', 'kube', 'flag Flag'],
  [undefined, 'variable', false, 'kept', 'kube', 'variable Variable'],
  [undefined, '', false, 'kept', 'kube', 'kept Store'],
  [undefined, undefined, false, 'kept', 'kube', 'kept Store'],
  [undefined, undefined, false, undefined, 'kube', 'kube Kubeconfig'],
  [undefined, undefined, true, 'kept', 'kube', 'kube Kubeconfig'],
  [undefined, undefined, true, 'kept', undefined, 'kept Store'],
  [undefined, 'variable', true, 'kept', 'kube', 'variable Variable'],
  [undefined, undefined, false, undefined, undefined, undefined],
] as const) {
  test(`context of ${flag}, ${variable}, ${hasFile}, ${store}, ${kube} is ${expected}`, () => {
    const resolved = resolveContext({ flag, variable, hasFile }, storeOf(store), kube)
    assert.is(resolved === undefined ? undefined : `${resolved.name} ${resolved.origin}`, expected)
    assert.is(resolved?.stored?.namespace, resolved?.name === 'kept' ? 'n' : undefined)
  })
}

for (const [flag, variable, stored, kube, expected] of [
  ['a', 'b', 'c', 'd', 'a'],
  [undefined, 'b', 'c', 'd', 'b'],
  [undefined, '', 'c', 'd', 'c'],
  [undefined, undefined, undefined, 'd', 'd'],
  [undefined, undefined, undefined, undefined, 'default'],
] as const) {
  test(`namespace of ${flag}, ${variable}, ${stored}, ${kube} is ${expected}`, () => {
    assert.is(resolveNamespace({ flag, variable, stored, kube }), expected)
  })
}

for (const [text, name] of [
  ['https://Example.COM/', 'https://example.com'],
  ['HTTPS://example.com:8443//', 'https://example.com:8443'],
  ['https://example.com/Team/', 'https://example.com/Team'],
  ['arn:aws:eks:eu:1:cluster/Dev', 'arn:aws:eks:eu:1:cluster/Dev'],
  ['Admin@Kind', 'Admin@Kind'],
] as const) {
  test(`${text} is called ${name}`, () => assert.is(contextName(text), name))
}

test.run()
