/** Finds the context and namespace of a command, before connecting to a cluster. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { findings as findingsOf } from '../../domain/checked.ts'
import { type ContextOrigin, type Resolved, resolveContext, resolveNamespace } from '../../domain/context/resolve.ts'
import { isPlatformUrl, readStore, STORE, type Store } from '../../domain/context/store.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { suggestion } from '../../domain/text/suggest.ts'
import type { Kubeconfig } from '../../ports/clusters.ts'
import type { Ports } from '../../ports/ports.ts'
import { readNamespace, type Settings } from '../project/settings.ts'
import type { Target, TargetOptions } from './target.ts'

export type ShellVariables = Readonly<Record<string, string | undefined>>

/** `isCurrent`: it is also the current context of the kubeconfig. */
export type LocatedTarget = Omit<Target, 'cluster' | 'findings'> & {
  readonly origin: ContextOrigin
  readonly isCurrent: boolean
}

/** The stored contexts. Fails with DT2104, DT2105. */
export const loadStore = ({ home }: Pick<Ports, 'home'>): TE.TaskEither<Diagnostic, Store> =>
  pipe(
    home.read(STORE),
    TE.flatMapEither((text) => readStore(home.where(STORE), text)),
  )

const platformMissing = (name: string): Diagnostic =>
  error('DT2107', `context ${name} is a platform, which this version does not support yet`, {
    help: 'select a context of the kubeconfig: `devtool context use NAME`, or --context',
  })

const noContext = ({ files }: Kubeconfig): Diagnostic =>
  error('DT2108', `no context is selected, and the kubeconfig ${files.join(', ')} has no current context`, {
    help: 'select one with `devtool context use`, or name it with --context',
  })

const notThere = (name: string, origin: ContextOrigin, { contexts, files }: Kubeconfig): Diagnostic => {
  const names = contexts.map((context) => context.name)
  const from = {
    Flag: '--context',
    Variable: 'DEVTOOL_CONTEXT',
    Store: 'the context in use',
    Kubeconfig: 'current-context',
  }
  return error('DT2108', `${from[origin]}: the kubeconfig ${files.join(', ')} has no context "${name}"`, {
    help: `\`devtool context use\` selects another; ${suggestion(name, names, 'it has none')}`,
  })
}

const settingsOf = ({ stored }: Resolved): Partial<Settings> => {
  const { domain, ingressClass, registry, tlsSecret } = stored ?? {}
  return defined({ domain, ingressClass, registry, tlsSecret })
}

const forImages = ({ stored }: Resolved): Pick<Target, 'builder' | 'pullRegistry'> => {
  const { builder, pullRegistry } = stored ?? {}
  return defined({ builder, pullRegistry })
}

const placed = (
  resolved: Resolved,
  kubeconfig: Kubeconfig,
  reach: TargetOptions,
  env: ShellVariables,
): E.Either<Diagnostic, LocatedTarget> => {
  const { name, origin, stored } = resolved
  const context = kubeconfig.contexts.find((one) => one.name === name)
  if (context === undefined) return E.left(notThere(name, origin, kubeconfig))
  const named = readNamespace(reach.namespace, (variable) => env[variable])
  const [wrong] = findingsOf(named)
  if (wrong !== undefined) return E.left(wrong)
  const namespace = resolveNamespace({
    flag: reach.namespace,
    variable: env['DEVTOOL_NAMESPACE'],
    stored: stored?.namespace,
    kube: context.namespace,
  })
  return E.right({
    context: name,
    namespace,
    settings: settingsOf(resolved),
    ...forImages(resolved),
    isNamed: origin === 'Flag' || origin === 'Variable',
    origin,
    isCurrent: kubeconfig.current === name,
  })
}

/** A platform needs no kubeconfig, and is reported as one even when the kubeconfig cannot be read. */
const chosen = (
  store: Store,
  read: E.Either<Diagnostic, Kubeconfig>,
  reach: TargetOptions,
  env: ShellVariables,
): E.Either<Diagnostic, LocatedTarget> => {
  const naming = { flag: reach.context, variable: env['DEVTOOL_CONTEXT'], hasFile: reach.kubeconfig !== undefined }
  const current = E.isRight(read) ? read.right.current : undefined
  const resolved = resolveContext(naming, store, current)
  if (resolved?.stored?.kind === 'platform' || isPlatformUrl(resolved?.name ?? '')) {
    return E.left(platformMissing(resolved?.name ?? ''))
  }
  const place = (kubeconfig: Kubeconfig) =>
    resolved === undefined ? E.left(noContext(kubeconfig)) : placed(resolved, kubeconfig, reach, env)
  return pipe(read, E.flatMap(place))
}

/** Fails with DT2001 (an invalid namespace), DT2104, DT2105, DT2107, DT2108 and DT3008 (no kubeconfig). */
export const locate =
  (ports: Pick<Ports, 'clusters' | 'home'>) =>
  (reach: TargetOptions, env: ShellVariables): TE.TaskEither<Diagnostic, LocatedTarget> =>
    pipe(
      loadStore(ports),
      TE.bindTo('store'),
      TE.bind('kubeconfig', () => TE.fromTask(ports.clusters.kubeconfig(reach.kubeconfig))),
      TE.flatMapEither(({ kubeconfig, store }) => chosen(store, kubeconfig, reach, env)),
    )
