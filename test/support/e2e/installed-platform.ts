/**
 * A platform that the built command installs on a real cluster, with an image that it builds itself. Its names are
 * unique in a cluster; all of it is removed afterwards.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { builderNamespace } from '../../../src/domain/platform/manifests/builder.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { done, manager } from '../../contract/cluster-world.ts'
import { type Buildkitd, withBuildkitd } from '../build/buildkitd.ts'
import { until } from '../process/until.ts'
import { type CommandResult, type RunningCommand, shown, startDevtool } from './command.ts'
import { joined, taken } from './platform.ts'
import { connectReal } from './real-cluster.ts'

const { DEVTOOL_E2E_REGISTRY: registry = '', KUBECONFIG = '', PATH = '' } = process.env

const DOMAIN = 'apps.e2e.example.com'
export const PLATFORM = `https://devtool.${DOMAIN}`
export const ISSUER = 'https://login.e2e.example.com'

/** Settings of every installation. */
export const told = [
  ...['--domain', DOMAIN, '--oidc-issuer', ISSUER, '--oidc-client', 'devtool', '--admin', 'ann@example.com'],
  ...['--registry', registry],
]

type Run = (words: ReadonlyArray<string>, env?: Readonly<Record<string, string>>) => Promise<CommandResult>
type Begin = (...asked: Parameters<Run>) => RunningCommand

export type PlatformLab = {
  readonly cluster: Cluster
  readonly registry: string
  /** A builder that pushes there. */
  readonly builder: string
  readonly folder: string
  readonly write: (path: string, text: string) => string
  /** The command, as an administrator of the cluster. */
  readonly start: Begin
  readonly run: Run
  readonly must: Run
  /** Installs a platform; `more`: further flags. */
  readonly install: (...more: ReadonlyArray<string>) => Promise<CommandResult>
  /** A user of the platform, with a token; and the flags with which commands act as that user. */
  readonly join: (person: string) => Promise<string>
  readonly asUser: (token: string, namespace?: string) => Promise<Readonly<Record<string, string>>>
}

/** A proxy to the Ingress controller for every host name: its name cannot be resolved here. */
const proxyTo = async (address: string): Promise<{ readonly url: string; readonly close: () => void }> => {
  const server = createServer()
  server.on('connect', (_request, client, head) => {
    const ingress = connect(443, address, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      ingress.write(head)
      client.pipe(ingress).pipe(client)
    })
    for (const socket of [client, ingress]) {
      socket.on('error', () => {})
      socket.on('close', () => [client, ingress].forEach((one) => one.destroy()))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address_ = server.address()
  const port = typeof address_ === 'object' && address_ !== null ? (address_ satisfies AddressInfo).port : 0
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** The address in the status of the platform's Ingress. */
export const ingressOf = async (cluster: Cluster): Promise<string> => {
  let found: string | undefined = process.env['INGRESS_ADDRESS']
  await until('the Ingress has an address', async () => {
    const key = { resource: resources.Ingress, namespace: 'devtool-system', name: 'api' }
    const first = ['status', 'loadBalancer', 'ingress', 0] as const
    const live = await done(cluster.get(key))
    found ??= textAt(live, ...first, 'ip') ?? textAt(live, ...first, 'hostname')
    return found !== undefined
  })
  return found ?? ''
}

const authorityIn = async (cluster: Cluster): Promise<string> => {
  const key = { resource: resources.Secret, namespace: 'devtool-system', name: 'devtool-ca' }
  const data = textAt(await done(cluster.get(key)), 'data', 'ca.crt') ?? ''
  return Buffer.from(data, 'base64').toString()
}

export const gone = async (cluster: Cluster, name: string): Promise<void> => {
  await done(cluster.remove({ resource: resources.Namespace, name }, { propagation: 'Background' }))
  await until(
    `namespace ${name} is gone`,
    async () => {
      return (await done(cluster.get({ resource: resources.Namespace, name }))) === undefined
    },
    300_000,
  )
}

/** An image with the plain programs of BuildKit, which runs privileged. */
export const BUILDKIT = 'moby/buildkit:v0.33.0'
export const builderFlags = ['--builder', 'privileged', '--builder-image', BUILDKIT]

/**
 * The registry of the cluster has no TLS, and everything that Docker Hub has in these tests. `plain`: further
 * registries without TLS.
 */
export const configureBuilder = async (
  { cluster, registry: own }: PlatformLab,
  plain: ReadonlyArray<string> = [],
): Promise<void> => {
  const options = { manager, force: true }
  const namespace = JSON.stringify(builderNamespace)
  await done(cluster.apply({ resource: resources.Namespace, name: 'devtool-builder' }, namespace, options))
  const mirror = `[registry."docker.io"]\nmirrors = ["${own}"]\n`
  const hosts = [own, ...plain].map((host) => `[registry."${host}"]\nhttp = true\n`)
  const config = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'buildkitd' },
    data: { 'buildkitd.toml': [mirror, ...hosts].join('') },
  }
  const key = { resource: resources.ConfigMap, namespace: 'devtool-builder', name: 'buildkitd' }
  await done(cluster.apply(key, JSON.stringify(config), options))
}

const labIn = (cluster: Cluster, daemon: Buildkitd, folder: string): PlatformLab & { readonly end: () => void } => {
  const closing: Array<() => void> = []
  const start: Begin = (words, env = {}) => {
    const own = { PATH, HOME: folder, NO_COLOR: '1' }
    const administrator = { KUBECONFIG, BUILDKIT_HOST: daemon.socket }
    const given = 'DEVTOOL_TOKEN' in env ? env : { ...administrator, ...env }
    return startDevtool(words, { cwd: folder, env: { ...own, ...given } })
  }
  const run: Run = (words, env) => start(words, env).ended
  const must: Run = async (words, env) => {
    const result = await run(words, env)
    assert.is(result.status, 0, `${words.join(' ')}\n${shown(result)}`)
    return result
  }
  const write = (path: string, text: string): string => {
    writeFileSync(join(folder, path), text)
    return join(folder, path)
  }
  let proxy: Awaited<ReturnType<typeof proxyTo>> | undefined
  return {
    cluster,
    registry,
    builder: daemon.socket,
    folder,
    write,
    start,
    run,
    must,
    install: (...more) => {
      write('secret.txt', 's3cret\n')
      return must(['platform', 'install', ...told, '--oidc-secret', 'secret.txt', '--yes', '--timeout', '10m', ...more])
    },
    join: (person) => joined(cluster, ISSUER, person),
    asUser: async (token, namespace = '') => {
      if (proxy === undefined) {
        proxy = await proxyTo(await ingressOf(cluster))
        closing.push(proxy.close)
      }
      return {
        DEVTOOL_CONTEXT: PLATFORM,
        DEVTOOL_TOKEN: token,
        ...(namespace === '' ? {} : { DEVTOOL_NAMESPACE: namespace }),
        SSL_CERT_FILE: write('ca.pem', await authorityIn(cluster)),
        HTTPS_PROXY: proxy.url,
        NO_PROXY: [new URL(cluster.server).hostname, new URL(`http://${registry}`).hostname].join(','),
      }
    },
    end: () => closing.forEach((close) => close()),
  }
}

/** `namespaces`: those that the test creates. */
export const withPlatform = async (
  namespaces: ReadonlyArray<string>,
  use: (lab: PlatformLab) => Promise<void>,
): Promise<void> => {
  if (registry === '') throw new Error('DEVTOOL_E2E_REGISTRY has to be set')
  const cluster = await connectReal()
  const folder = mkdtempSync(join(tmpdir(), 'devtool-platform-'))
  try {
    // Remains of an earlier test disappear by themselves, and an installation must not find them.
    await taken(cluster)
    for (const name of ['devtool-system', 'devtool-users', 'devtool-scoped']) await gone(cluster, name)
    await withBuildkitd({ registries: [registry], mirror: registry }, async (daemon) => {
      const lab = labIn(cluster, daemon, folder)
      try {
        await use(lab)
      } finally {
        lab.end()
        await lab.run(['platform', 'uninstall', '--yes'])
        for (const name of [...namespaces, 'devtool-builder', 'devtool-users']) await gone(cluster, name)
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
    cluster.close()
  }
}
