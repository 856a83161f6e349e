/** The command that a run executes. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commandOf, manifestOf } from '../../../src/domain/platform/run/command.ts'
import type { RunRecord } from '../../../src/domain/platform/run/record.ts'
import { runOf } from '../../support/platform/runs.ts'

const platform = { domain: 'apps.example.com', registry: 'registry.example.com' }

const words = (run: Partial<RunRecord>, given: Readonly<Record<string, string>> = {}, settings = platform): string =>
  commandOf({ ...runOf({}), ...run }, settings, new Map(Object.entries(given))).join(' ')

test('a deploy waits, in its namespace, for as long as the run may take', () => {
  const line = words({ action: 'deploy', environment: 'shop', namespace: 'acme', timeoutSeconds: 90 })
  assert.match(line, /^deploy --name shop --namespace acme --yes --wait --timeout 90s --wait-for-lock 90s /)
  assert.match(line, '--domain apps.example.com --registry registry.example.com')
  assert.not.match(line, '--file')
})

test('the file, and the variables in their order, are those of the request', () => {
  const line = words({ action: 'deploy', file: 'deploy/app.yml' }, { B: 'x=y', A: '' })
  assert.match(line, '--file deploy/app.yml --var B=x=y --var A=')
})

test('only a destroy deletes volumes, and it needs neither domain nor registry', () => {
  assert.match(words({ action: 'destroy', volumes: true }), / --volumes$/)
  assert.not.match(words({ action: 'destroy', volumes: false }), '--volumes')
  assert.not.match(words({ action: 'deploy', volumes: true }), '--volumes')
  assert.not.match(words({ action: 'destroy' }), /--domain|--registry/)
})

test('a platform without a domain or a registry leaves them to the manifest', () => {
  assert.not.match(words({ action: 'deploy' }, {}, { domain: '', registry: '' }), /--domain|--registry/)
})

test('recorded commands are a manifest that only destroys', () => {
  assert.equal(manifestOf([{ name: 'clean', command: 'make clean' }]), {
    destroy: [{ name: 'clean', command: 'make clean' }],
  })
  assert.equal(manifestOf([]), { destroy: [] })
})

test.run()
