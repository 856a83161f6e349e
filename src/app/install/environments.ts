/** The programs of a platform as environments to deploy, with the keys that they read. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined, ifDefined } from '../../domain/object/defined.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { BUILDER_SERVICE, builderPlan } from '../../domain/platform/manifests/builder.ts'
import { noKeys, type OwnKeys, type PlatformKeys, platformPlan } from '../../domain/platform/manifests/workloads.ts'
import { BUILDER_NAMESPACE, SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import { encodeBase64Text } from '../../domain/text/base64.ts'
import type { DeployRequest } from '../deploy/request.ts'
import { asFindings } from '../result.ts'
import { certificateFor, type OwnCertificate, ofBuilder, ofPlatform } from './certificate.ts'
import { sessionKeyOf } from './keys.ts'
import type { CompleteRequest, InstallPorts } from './request.ts'

const deploymentOf = (
  { interrupted, signal, target }: CompleteRequest,
  { namespace, plan, service }: { readonly namespace: string; readonly plan: Plan; readonly service: string },
): DeployRequest => ({
  target: { ...target, namespace },
  plan,
  source: {},
  settings: {},
  recorded: { dependencies: [], destroyCommands: [] },
  services: [service],
  refusal: () => undefined,
  external: [],
  switchedOff: new Set(),
  isPartial: false,
  isWaiting: true,
  failsFast: false,
  jobs: { _tag: 'Changed' },
  force: false,
  breaksLock: false,
  lockWaitMs: 0,
  signal,
  interrupted,
  purpose: { _tag: 'Deploy' },
  isAtomic: false,
})

/** As the data of Secrets. */
const encoded = ({ authority, server }: OwnCertificate): OwnKeys => ({
  authority: encodeBase64Text(authority.certificate),
  authorityKey: encodeBase64Text(authority.key),
  server: encodeBase64Text(server.certificate),
  serverKey: encodeBase64Text(server.key),
})

/** `fingerprint`: SHA-256 of the certificate of the platform's own authority. */
type KeysFound = { readonly keys: PlatformKeys; readonly fingerprint?: string }

/** The existing keys, and new ones for those that are missing. */
export const keysFor = (
  ports: InstallPorts,
  request: CompleteRequest,
): TE.TaskEither<ReadonlyArray<Diagnostic>, KeysFound> => {
  const { clientSecret, installation } = request
  return pipe(
    sessionKeyOf(ports, request),
    TE.bindTo('sessionKey'),
    TE.bind('own', () =>
      installation.tls._tag === 'SelfSigned'
        ? asFindings(certificateFor(ports, request, ofPlatform(installation.domain)))
        : TE.right(undefined),
    ),
    TE.bind('builder', () =>
      installation.builder === undefined ? TE.right(undefined) : asFindings(certificateFor(ports, request, ofBuilder)),
    ),
    TE.map(({ builder, own, sessionKey }) => {
      const certificates = { certificate: ifDefined(own, encoded), builder: ifDefined(builder, encoded) }
      const keys = { clientSecret, sessionKey, ...defined(certificates) }
      return { keys, ...defined({ fingerprint: own?.fingerprint }) }
    }),
  )
}

/** The programs of the installation, each as an environment of its own. */
export const environmentsOf = (request: CompleteRequest, keys: PlatformKeys): ReadonlyArray<DeployRequest> => {
  const { builder } = request.installation
  const platform = {
    namespace: SYSTEM_NAMESPACE,
    plan: platformPlan(request.installation, keys),
    service: 'api',
  }
  const ofBuilds = ifDefined(builder, (wanted) => ({
    namespace: BUILDER_NAMESPACE,
    plan: builderPlan(wanted, keys.builder ?? noKeys),
    service: BUILDER_SERVICE,
  }))
  return [platform, ...(ofBuilds === undefined ? [] : [ofBuilds])].map((one) => deploymentOf(request, one))
}
