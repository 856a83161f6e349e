/** Finds the context and namespace of a command, before connecting to a cluster. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { findings as findingsOf } from '../../domain/checked.ts'
import {
  type ContextOrigin,
  type Resolved,
  resolveContext,
  resolveNamespace,
  variableToken,
} from '../../domain/context/resolve.ts'
import {
  insecureUrl,
  isInsecureUrl,
  isPlatformUrl,
  kubeContextOf,
  readStore,
  STORE,
  type Store,
} from '../../domain/context/store.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { suggestion } from '../../domain/text/suggest.ts'
import type { Kubeconfig } from '../../ports/clusters.ts'
import type { Ports } from '../../ports/ports.ts'
import { notLoggedIn } from '../login/browser.ts'
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

const forImages = ({ stored }: Resolved): Pick<Target, 'agentImage' | 'builder' | 'pullRegistry'> => {
  const { agentImage, builder, pullRegistry } = stored ?? {}
  return defined({ agentImage, builder, pullRegistry })
}

type Reach = { readonly reach: TargetOptions; readonly env: ShellVariables }

/** The flag wins over the variable; both must be valid. */
const namespaceIn = (
  { env, reach }: Reach,
  fallbacks: { readonly stored?: string | undefined; readonly kube?: string | undefined; readonly fallback?: string },
): E.Either<Diagnostic, string> => {
  const [wrong] = findingsOf(readNamespace(reach.namespace, (variable) => env[variable]))
  if (wrong !== undefined) return E.left(wrong)
  return E.right(resolveNamespace({ flag: reach.namespace, variable: env['DEVTOOL_NAMESPACE'], ...fallbacks }))
}

const placeOf = (resolved: Resolved, namespace: string) => ({
  context: resolved.name,
  namespace,
  settings: settingsOf(resolved),
  ...forImages(resolved),
  isNamed: resolved.origin === 'Flag' || resolved.origin === 'Variable',
  origin: resolved.origin,
})

const placed = (resolved: Resolved, kubeconfig: Kubeconfig, given: Reach): E.Either<Diagnostic, LocatedTarget> => {
  const { name, origin, stored } = resolved
  const context = kubeconfig.contexts.find((one) => one.name === name)
  if (context === undefined) return E.left(notThere(name, origin, kubeconfig))
  return pipe(
    namespaceIn(given, { stored: stored?.namespace, kube: context.namespace }),
    E.map((namespace) => ({ ...placeOf(resolved, namespace), isCurrent: kubeconfig.current === name })),
  )
}

/** The namespace is '' when none was chosen yet. */
const onPlatform = (
  resolved: Resolved,
  kubeconfig: Kubeconfig | undefined,
  given: Reach,
): E.Either<Diagnostic, LocatedTarget> => {
  const { name: url, origin, stored } = resolved
  if (isInsecureUrl(url)) return E.left(insecureUrl(url))
  const token = variableToken(given.env, { url, isNamed: origin === 'Flag' }) ?? stored?.token
  if (token === undefined) return E.left(notLoggedIn(url))
  const platform = { url, token, ...defined({ authority: stored?.authority }) }
  const isCurrent = kubeconfig?.current === kubeContextOf(url)
  return pipe(
    namespaceIn(given, { stored: stored?.namespace, fallback: '' }),
    E.map((namespace) => ({ ...placeOf(resolved, namespace), platform, isCurrent })),
  )
}

/** Platforms need no kubeconfig. */
const chosen = (
  store: Store,
  read: E.Either<Diagnostic, Kubeconfig>,
  given: Reach,
): E.Either<Diagnostic, LocatedTarget> => {
  const { env, reach } = given
  const naming = { flag: reach.context, variable: env['DEVTOOL_CONTEXT'], hasFile: reach.kubeconfig !== undefined }
  const kubeconfig = E.isRight(read) ? read.right : undefined
  const resolved = resolveContext(naming, store, kubeconfig?.current)
  if (resolved !== undefined && isPlatformUrl(resolved.name)) return onPlatform(resolved, kubeconfig, given)
  const place = (config: Kubeconfig) =>
    resolved === undefined ? E.left(noContext(config)) : placed(resolved, config, given)
  return pipe(read, E.flatMap(place))
}

/**
 * Fails with DT2001 (an invalid namespace), DT2104, DT2105, DT2108, DT3008 (no kubeconfig) and DT6001 (not logged in to
 * a platform).
 */
export const locate =
  (ports: Pick<Ports, 'clusters' | 'home'>) =>
  (reach: TargetOptions, env: ShellVariables): TE.TaskEither<Diagnostic, LocatedTarget> =>
    pipe(
      loadStore(ports),
      TE.bindTo('store'),
      TE.bind('kubeconfig', () => TE.fromTask(ports.clusters.kubeconfig(reach.kubeconfig))),
      TE.flatMapEither(({ kubeconfig, store }) => chosen(store, kubeconfig, { reach, env })),
    )
