/**
 * Checks before anything is written whether a platform can be installed in a cluster, and which features would be
 * missing.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type Resource, resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error, warning } from '../../domain/diagnostic/diagnostic.ts'
import { type ClusterCheck, checkDomain, checkIngress, checkStorage } from '../../domain/doctor/check.ts'
import { showAnswer } from '../../domain/network/answer.ts'
import {
  hostOf,
  isPublicAddress,
  OLDEST_MINOR,
  type PlatformInstallation,
} from '../../domain/platform/manifests/installation.ts'
import { SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import type { Ports } from '../../ports/ports.ts'
import { missingRights } from '../context/rights.ts'
import type { Target } from '../context/target.ts'

type Preflight = {
  readonly target: Pick<Target, 'cluster'>
  readonly installation: Omit<PlatformInstallation, 'image'>
  readonly signal: AbortSignal
}

const ANSWER_MS = 3000

const unsuitable = (message: string, help: string): Diagnostic => error('DT6303', message, { help })
const unready = (message: string, help: string): Diagnostic => warning('DT6305', message, { help })

const told = TE.mapLeft(failureDiagnostic)

const version = ({ signal, target: { cluster } }: Preflight): TE.TaskEither<Diagnostic, unknown> =>
  pipe(
    told(cluster.version(signal)),
    TE.filterOrElse(
      (text) => Number(/^v?1\.(\d+)/.exec(text)?.[1] ?? 0) >= OLDEST_MINOR,
      (text) => unsuitable(`the cluster runs Kubernetes ${text}`, `the platform needs 1.${OLDEST_MINOR} or later`),
    ),
  )

const rights = ({ signal, target: { cluster } }: Preflight): TE.TaskEither<Diagnostic, unknown> =>
  pipe(
    told(missingRights({ cluster, namespace: '' }, [{ group: '*', resource: '*', verb: '*' }], signal)),
    TE.filterOrElse(
      (missing) => missing.length === 0,
      () => unsuitable('you are not an administrator of this cluster', 'use a context with the role cluster-admin'),
    ),
  )

const certificateIssuers: Resource = {
  group: 'cert-manager.io',
  version: 'v1',
  plural: 'clusterissuers',
  kind: 'ClusterIssuer',
  isNamespaced: false,
}

/** An issuer must exist; a Secret may be created later, since the namespace may not exist yet. */
const certificate = ({
  installation: { tls },
  signal,
  target: { cluster },
}: Preflight): TE.TaskEither<Diagnostic, ReadonlyArray<Diagnostic>> => {
  if (tls._tag === 'Issuer') {
    return pipe(
      told(cluster.get({ resource: certificateIssuers, name: tls.name }, signal)),
      TE.filterOrElse(
        (found) => found !== undefined,
        () =>
          unsuitable(
            `--tls issuer=${tls.name}: the cluster has no ClusterIssuer of that name`,
            'install cert-manager and create the issuer, or leave out --tls',
          ),
      ),
      TE.map(() => []),
    )
  }
  if (tls._tag === 'None') {
    const text = 'the platform itself is served without TLS: whoever can read the network can read tokens'
    return TE.right([unready(text, 'use --tls none only behind a proxy that terminates TLS')])
  }
  if (tls._tag === 'SelfSigned') return TE.right([])
  const { name } = tls
  return pipe(
    told(cluster.get({ resource: resources.Secret, namespace: SYSTEM_NAMESPACE, name }, signal)),
    TE.map((found) =>
      found === undefined
        ? [
            unready(
              `--tls secret=${name}: there is no such Secret in namespace ${SYSTEM_NAMESPACE} yet`,
              `create it with \`kubectl create secret tls ${name} --namespace ${SYSTEM_NAMESPACE} --cert FILE --key FILE\``,
            ),
          ]
        : [],
    ),
  )
}

const findingOf = ({ help = '', name, text, verdict }: ClusterCheck): ReadonlyArray<Diagnostic> => {
  if (verdict === 'ok' || verdict === 'skipped') return []
  return [verdict === 'failed' && name === 'ingress' ? unsuitable(text, help) : unready(`${name}: ${text}`, help)]
}

const classes = (
  { signal, target: { cluster } }: Preflight,
  kind: 'StorageClass' | 'IngressClass',
  judge: (items: ReadonlyArray<ClusterObject>) => ClusterCheck,
): TE.TaskEither<Diagnostic, ReadonlyArray<Diagnostic>> =>
  pipe(
    told(cluster.list({ resource: resources[kind] }, { signal })),
    TE.flatMap(({ items }) => {
      const found = findingOf(judge(items))
      const [refused] = found.filter(({ severity }) => severity === 'error')
      return refused === undefined ? TE.right(found) : TE.left(refused)
    }),
  )

/** One finding for both: the DNS record `*.DOMAIN` fixes both. */
const names = ({ network }: Pick<Ports, 'network'>, domain: string): T.Task<ReadonlyArray<Diagnostic>> =>
  pipe(
    T.traverseArray((host: string) => network.ask(`http://${host}/`, ANSWER_MS))([
      hostOf(domain),
      `devtool-check.${domain}`,
    ]),
    T.map(
      (answers) =>
        answers.flatMap((answer) => {
          const isUnknown = answer._tag === 'Silent' && answer.because === 'UnknownName'
          return isUnknown ? [findingOf(checkDomain(domain, answer))] : []
        })[0] ?? [],
    ),
  )

/** Requested from this machine, which may not reach everything that the cluster reaches. */
const issuer = ({ network }: Pick<Ports, 'network'>, url: string): T.Task<ReadonlyArray<Diagnostic>> =>
  pipe(
    network.ask(`${url.replace(/\/$/, '')}/.well-known/openid-configuration`, ANSWER_MS),
    T.map((answer) =>
      answer._tag === 'Answered' && answer.status === 200
        ? []
        : [
            unready(
              `--oidc-issuer ${url}: its configuration cannot be read from here: ${showAnswer(answer).replace(/^(?:no|yes), /, '')}`,
              'the pods of the platform must be able to read it, or nobody can log in',
            ),
          ],
    ),
  )

const address = ({
  installation: { kubernetes },
  target: {
    cluster: { server },
  },
}: Preflight): ReadonlyArray<Diagnostic> =>
  kubernetes !== undefined || isPublicAddress(server)
    ? []
    : [
        unready(
          `only this machine reaches the API server at ${server}, so users are told its address in the cluster`,
          'name the address that users reach with --kubernetes-url',
        ),
      ]

/** The platform would trust any pod about who sent a request, so pods of tenants could evade the rate limits. */
const origins = ({ installation: { proxies } }: Preflight): ReadonlyArray<Diagnostic> =>
  proxies.length > 0
    ? []
    : [
        unready(
          'no --trusted-proxy is named: requests are limited by the address that whoever connects from a private network says they come from',
          'name the addresses of the Ingress controller with --trusted-proxy',
        ),
      ]

const plainIssuer = ({ installation: { issuer: url } }: Preflight): ReadonlyArray<Diagnostic> =>
  url.startsWith('http:')
    ? [
        unready(
          `--oidc-issuer ${url} is reached by plain HTTP: anybody on the way can log in as anybody`,
          'use it for trials only',
        ),
      ]
    : []

const admitted = ({ installation: { allowedDomains, allowedGroups } }: Preflight): ReadonlyArray<Diagnostic> =>
  allowedDomains.length + allowedGroups.length > 0
    ? []
    : [unready('only administrators may log in', 'admit others with --allow-domain or --allow-group')]

/** DT6303 when the platform cannot be installed; DT6305 for missing features. */
export const preflight = (
  ports: Pick<Ports, 'network'>,
  given: Preflight,
): TE.TaskEither<Diagnostic, ReadonlyArray<Diagnostic>> => {
  const { domain, ingressClass, issuer: url } = given.installation
  const cluster = TE.sequenceArray([
    certificate(given),
    classes(given, 'IngressClass', (items) => checkIngress(items, ingressClass)),
    classes(given, 'StorageClass', checkStorage),
  ])
  return pipe(
    version(given),
    TE.flatMap(() => rights(given)),
    TE.flatMap(() => cluster),
    TE.flatMapTask((found) =>
      pipe(
        T.sequenceArray([names(ports, domain), issuer(ports, url)]),
        T.map((more) => [
          ...found.flat(),
          ...address(given),
          ...origins(given),
          ...plainIssuer(given),
          ...admitted(given),
          ...more.flat(),
        ]),
      ),
    ),
  )
}
