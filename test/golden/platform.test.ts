/** What an installation consists of: a change of what anybody may do is read here. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { printManifests } from '../../src/domain/plan/manifests.ts'
import { foundationFor } from '../../src/domain/platform/manifests/foundation.ts'
import type { PlatformInstallation } from '../../src/domain/platform/manifests/installation.ts'
import { bindingsOf, policiesFor } from '../../src/domain/platform/manifests/policies.ts'
import { platformPlan } from '../../src/domain/platform/manifests/workloads.ts'
import { printYamlStream } from '../../src/domain/print/yaml.ts'

const installation: PlatformInstallation = {
  image: 'registry.example.com/devtool-platform@sha256:0',
  domain: 'apps.example.com',
  registry: 'registry.example.com/team',
  ingressClass: 'nginx',
  tls: { _tag: 'Secret', name: 'wildcard' },
  issuer: 'https://login.example.com',
  client: 'devtool',
  admins: ['ann@example.com', 'ben@example.com'],
  allowedDomains: ['example.com'],
  allowedGroups: ['team'],
  proxies: ['10.0.0.0/16'],
  sleepAfterSeconds: 43_200,
  previewSeconds: 2_592_000,
  maxRuns: 20,
  kubernetes: { server: 'https://kubernetes.example.com:6443', authority: 'PEM\n' },
}
const keys = { clientSecret: 'czNjcmV0', sessionKey: 'a2V5' }

const compare = (name: string, text: string): void => {
  const file = `test/golden/platform/${name}.yml`
  if (process.env['UPDATE_GOLDENS'] !== undefined) writeFileSync(file, text)
  assert.ok(existsSync(file), `${file} is missing: run npm run goldens, then read it`)
  assert.fixture(text, readFileSync(file, 'utf8'))
}

test('namespaces, accounts and rights of the programs', () => {
  compare('foundation', printYamlStream(foundationFor(installation)))
})

test('policies', () => {
  const policies = policiesFor(installation.domain)
  compare('policies', printYamlStream([...policies, ...bindingsOf(policies, 'Deny')]))
})

test('programs', () => {
  compare('workloads', printManifests(platformPlan(installation, keys), true))
})

test('with an issuer, the Ingress requests a certificate; without one, it does not', () => {
  const ingressWith = (tls: PlatformInstallation['tls']): string =>
    printManifests(platformPlan({ ...installation, tls }, keys), true)
      .split('---\n')
      .at(-1) ?? ''
  const issued = ingressWith({ _tag: 'Issuer', name: 'letsencrypt' })
  assert.match(issued, 'cert-manager.io/cluster-issuer: letsencrypt')
  assert.match(issued, 'secretName: devtool-tls')
  assert.not.match(ingressWith({ _tag: 'None' }), /tls|annotations/)
})

test.run()
