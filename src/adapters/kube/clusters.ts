/** The port `Clusters` over kubeconfig files. */

import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import { at, textAt } from '../../domain/cluster/json.ts'
import { type Diagnostic, error, warning } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { publicUrl } from '../../domain/text/public-url.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Clusters, Kubeconfig } from '../../ports/clusters.ts'
import { causeText } from '../http/causes.ts'
import { readRegular } from '../paths/regular.ts'
import type { ClusterAccess } from './access.ts'
import type { ApiTransport } from './api/transport.ts'
import { kubeCluster } from './cluster.ts'
import { readContexts, readInCluster } from './in-cluster.ts'
import { filesOf, type MergedKubeconfig, readKubeconfig } from './kubeconfig.ts'
import { type KubeWorld, type OpenedUpstream, openUpstream, unknownContext } from './open.ts'
import { startProxy } from './proxy/proxy.ts'
import { openWithTokens } from './with-tokens.ts'

const toKubeconfig = ({ clusters, contexts, current, files }: MergedKubeconfig): Kubeconfig => {
  const servers = new Map(clusters.map(({ name, value }) => [name, textAt(value, 'server')]))
  return {
    files,
    ...defined({ current }),
    contexts: contexts.map(({ name, value }) => {
      const namespace = textAt(value, 'namespace') ?? ''
      const server = servers.get(textAt(value, 'cluster') ?? '')
      const address = server === undefined ? undefined : publicUrl(server)
      return { name, ...(namespace === '' ? {} : { namespace }), ...defined({ server: address }) }
    }),
  }
}

const isThisMachine = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

const warningsOf = ({ cluster, server }: ClusterAccess): ReadonlyArray<Diagnostic> => {
  const help =
    'anyone on the network path can read and change everything: set its certificate-authority in the kubeconfig'
  if (server.protocol === 'http:') {
    return isThisMachine(server) ? [] : [warning('DT3011', `${server.origin} is used without TLS`, { help })]
  }
  return at(cluster, 'insecure-skip-tls-verify') === true
    ? [warning('DT3011', `the certificate of ${server.origin} is not checked (insecure-skip-tls-verify)`, { help })]
    : []
}

/** Failures to start it are those of this machine: the cluster is not involved. */
const labellingOf =
  ({ clock }: KubeWorld) =>
  (upstream: ApiTransport): Cluster['labelling'] =>
  (scope) =>
    TE.tryCatch(
      () => startProxy(upstream, scope, clock),
      (cause): Failure => ({
        _tag: 'Unreachable',
        asked: { verb: 'proxy', what: scope.namespace },
        server: upstream.server,
        cause: `the local API proxy for commands cannot be started: ${causeText(cause)}`,
        mayHaveHappened: false,
      }),
    )

const authorityOf = ({ cluster }: ClusterAccess): string | undefined =>
  textAt(cluster, 'certificate-authority-data') ?? textAt(cluster, 'certificate-authority')

const clusterOf = (world: KubeWorld, { target, upstream }: OpenedUpstream): Cluster => {
  const authority = authorityOf(target)
  const others = {
    labellingOf: labellingOf(world),
    warnings: warningsOf(target),
    say: world.say,
    ...defined({ authority }),
  }
  return kubeCluster(upstream, world, others)
}

const connecting =
  (world: KubeWorld): Clusters['connect'] =>
  (choice, signal) =>
    pipe(
      readContexts(world, choice.file),
      TE.flatMap((merged) => openUpstream(world, merged, choice.context, signal)),
      TE.map((opened) => clusterOf(world, opened)),
    )

const podOf = (
  world: KubeWorld,
): E.Either<Diagnostic, { readonly pod: MergedKubeconfig; readonly namespace: string }> => {
  const pod = readInCluster(world)
  const namespace = textAt(pod?.contexts[0]?.value, 'namespace')
  return pod === undefined || namespace === undefined
    ? E.left(
        error('DT3008', 'this program does not run in a pod that has a service account', {
          help: 'pods that mount a service account token have KUBERNETES_SERVICE_HOST and the token',
        }),
      )
    : E.right({ pod, namespace })
}

const connectingInCluster =
  (world: KubeWorld): Clusters['inCluster'] =>
  () =>
    pipe(
      TE.fromIOEither(() => podOf(world)),
      TE.bind('opened', ({ pod }) => openUpstream(world, pod, pod.current ?? '')),
      TE.map(({ namespace, opened }) => ({ cluster: clusterOf(world, opened), namespace })),
    )

type Edit = { readonly file: string; readonly change: (text: string) => string | undefined }

const rewrite =
  ({ change, file }: Edit, { writer }: KubeWorld): TE.TaskEither<Diagnostic, string> =>
  async () => {
    const text = readRegular(file).toString()
    const changed = change(text)
    if (changed === undefined) {
      return E.left(
        error('DT2006', `cannot change ${file}: its layout must be edited by hand`, {
          help: 'use `kubectl config use-context`',
        }),
      )
    }
    return changed === text ? E.right(file) : E.map(() => file)(await writer.replace(file, changed)())
  }

/** The namespace is written first, so that the context never becomes current with the wrong one. */
const selecting =
  (world: KubeWorld): Clusters['select'] =>
  ({ context, file, namespace }) =>
    pipe(
      readKubeconfig(world, file),
      TE.flatMap((merged) => {
        const entry = merged.contexts.find(({ name }) => name === context)
        return entry === undefined
          ? TE.left(unknownContext(merged, context))
          : TE.right({ user: entry.file, current: merged.currentFile ?? entry.file })
      }),
      TE.bind('select', () => TE.fromTask(() => import('./select.ts'))),
      TE.tap(({ select, user }) =>
        namespace === undefined
          ? TE.right(user)
          : rewrite({ file: user, change: (text) => select.withNamespace(text, context, namespace) }, world),
      ),
      TE.flatMap(({ current, select }) =>
        rewrite({ file: current, change: (text) => select.withCurrent(text, context) }, world),
      ),
    )

const connectingWithTokens =
  (world: KubeWorld): Clusters['withTokens'] =>
  (access, signal) =>
    pipe(
      openWithTokens(world, access, signal),
      TE.map((opened) => clusterOf(world, opened)),
    )

/** When several files define the same name, the first is changed. A new file is readable by this user only. */
const adding =
  (world: KubeWorld): Clusters['add'] =>
  (entry, chosen) =>
  async () => {
    const [file = ''] = filesOf(world, chosen)
    const isNew = !existsSync(file)
    const { withEntry } = await import('./add.ts')
    const changed = withEntry(isNew ? '' : readRegular(file).toString(), entry)
    if (changed === undefined) return E.left(error('DT3008', `kubeconfig ${file} cannot be read: it is not a mapping`))
    if (isNew) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return E.map(() => file)(await world.writer.replace(file, changed, { isPrivate: isNew })())
  }

/** Kubeconfigs are read again on every call: they are small, and other programs change them. */
export const kubeClusters = (world: KubeWorld): Clusters => ({
  kubeconfig: (file) => TE.map(toKubeconfig)(readContexts(world, file)),
  connect: connecting(world),
  inCluster: connectingInCluster(world),
  withTokens: connectingWithTokens(world),
  select: selecting(world),
  add: adding(world),
})
