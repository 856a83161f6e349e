/**
 * The ways in which a platform is served: with a certificate of cert-manager, with one of its administrator, and without
 * TLS. The kinds of cert-manager, and its controller that looks for Ingresses, are stand-ins of this test.
 */
import { X509Certificate } from 'node:crypto'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { x509Certificates } from '../../src/adapters/x509/certificates.ts'
import { at, type JsonObject, listAt, textAt } from '../../src/domain/cluster/json.ts'
import { type Resource, resources } from '../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { done, manager } from '../contract/cluster-world.ts'
import { shown } from '../support/e2e/command.ts'
import { ingressOf, PLATFORM, type PlatformLab, withPlatform } from '../support/e2e/installed-platform.ts'
import { until } from '../support/process/until.ts'

const HOST = new URL(PLATFORM).hostname
const validity = { nowMs: systemClock.wallMs(), days: 30 }
const authority = x509Certificates.authority('an authority of a test', validity)

const global = (group: string, plural: string, kind: string): Resource => ({
  ...{ group, version: 'v1', plural, kind, isNamespaced: false },
})
const kinds = global('apiextensions.k8s.io', 'customresourcedefinitions', 'CustomResourceDefinition')
const issuers = global('cert-manager.io', 'clusterissuers', 'ClusterIssuer')

const definition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: kinds.kind,
  metadata: { name: 'clusterissuers.cert-manager.io' },
  spec: {
    group: issuers.group,
    scope: 'Cluster',
    names: { plural: issuers.plural, singular: 'clusterissuer', kind: issuers.kind },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

const system = 'devtool-system'

const secretOf = (name: string, host: string): JsonObject => {
  const { certificate, key } = x509Certificates.issue(authority, [host], validity)
  const data = {
    'tls.crt': Buffer.from(certificate).toString('base64'),
    'tls.key': Buffer.from(key).toString('base64'),
  }
  return { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata: { name, namespace: system }, data }
}

const stored = (cluster: Cluster, secret: JsonObject) =>
  done(cluster.create({ resource: resources.Secret, namespace: system }, secret, { manager }))

/** Like cert-manager: the Secret that an Ingress with the annotation names gets a certificate of that issuer. */
const issuing = async (cluster: Cluster, issuer: string, signal: AbortSignal): Promise<void> => {
  const key = { resource: resources.Ingress, namespace: system, name: 'api' }
  while (!signal.aborted) {
    const live = await done(cluster.get(key))
    const isAsked = at(live, 'metadata', 'annotations', 'cert-manager.io/cluster-issuer') === issuer
    for (const tls of isAsked ? listAt(live, 'spec', 'tls') : []) {
      const [name = '', host = ''] = [textAt(tls, 'secretName'), textAt(tls, 'hosts', 0)]
      const found = await done(cluster.get({ resource: resources.Secret, namespace: system, name }))
      if (found === undefined) await stored(cluster, secretOf(name, host))
    }
    await sleep(200)
  }
}

const withIssuer = async (cluster: Cluster, use: (name: string) => Promise<void>): Promise<void> => {
  const [name, ended] = ['e2e-demo', new AbortController()]
  await done(cluster.create({ resource: kinds }, definition, { manager }))
  try {
    const body = { apiVersion: 'cert-manager.io/v1', kind: issuers.kind, metadata: { name }, spec: { selfSigned: {} } }
    await until('the kind is served', async () => {
      return (await cluster.create({ resource: issuers }, body, { manager })())._tag === 'Right'
    })
    const working = issuing(cluster, name, ended.signal)
    await use(name)
    ended.abort()
    await working
  } finally {
    ended.abort()
    await done(
      cluster.remove({ resource: kinds, name: 'clusterissuers.cert-manager.io' }, { propagation: 'Background' }),
    )
  }
}

/** The certificate that the Ingress controller shows for the platform. */
const shownAt = (address: string): Promise<X509Certificate | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port: 443, servername: HOST, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate())
      socket.destroy()
    })
    socket.on('error', () => resolve(undefined))
  })

const isServed = async (address: string): Promise<boolean> => {
  const certificate = await shownAt(address)
  return certificate?.verify(new X509Certificate(authority.certificate).publicKey) === true
}

const plain = (address: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const request = get({ host: address, path: '/api/v1/meta', headers: { host: HOST } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    request.on('error', () => resolve(undefined))
  })

/** A user whose machine trusts the authority of the test. */
const meets = async ({ asUser, join, run, write }: PlatformLab): Promise<void> => {
  const env = { ...(await asUser(await join('ann'))), SSL_CERT_FILE: write('issuer.pem', authority.certificate) }
  await until('the platform answers', async () => (await run(['namespace', 'list'], env)).status === 0)
}

test('a platform is served with a certificate of cert-manager, with one of the administrator, and without TLS', () =>
  withPlatform([], async (lab) => {
    const { cluster, install, run } = lab
    await withIssuer(cluster, async (issuer) => {
      const installed = await install('--builder', 'none', '--tls', `issuer=${issuer}`)
      assert.is(installed.stdout, `${PLATFORM}\n`)
      const address = await ingressOf(cluster)
      await until('the certificate of the issuer is shown', () => isServed(address))
      await meets(lab)
      assert.is((await run(['platform', 'status'])).status, 0)
    })

    const early = await install('--builder', 'none', '--tls', 'secret=own')
    assert.match(early.stderr, /DT6305: --tls secret=own: there is no such Secret/, shown(early))
    const own = secretOf('own', HOST)
    await stored(cluster, own)
    const address = await ingressOf(cluster)
    const wanted = new X509Certificate(Buffer.from(textAt(own, 'data', 'tls.crt') ?? '', 'base64')).fingerprint256
    await until('the own certificate is shown', async () => (await shownAt(address))?.fingerprint256 === wanted)
    assert.not.match((await install('--builder', 'none', '--tls', 'secret=own')).stderr, /secret=own/)

    const none = await install('--builder', 'none', '--tls', 'none')
    assert.match(none.stderr, /DT6305: the platform itself is served without TLS/, shown(none))
    await until('it answers without TLS', async () => (await plain(address)) === 200)
    assert.not.ok(await isServed(address))
  }))

test.run()
