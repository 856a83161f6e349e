/** The settings of an installation, read back from its objects. */
import { at, type Json, listAt, textAt } from '../../cluster/json.ts'
import { annotationOf, type ClusterObject } from '../../cluster/live.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import type { BuilderInstallation } from './builder.ts'
import { CERTIFICATE_SECRET, ISSUER_ANNOTATION, type PlatformInstallation, type PlatformTls } from './installation.ts'

/**
 * The objects of the programs: Deployment and Ingress, the ConfigMap with the cluster's certificates, the builder's
 * StatefulSet.
 */
export type InstalledObjects = {
  readonly deployment: ClusterObject
  readonly ingress: ClusterObject | undefined
  readonly authority: ClusterObject | undefined
  readonly builder: ClusterObject | undefined
}

const tlsOf = (ingress: ClusterObject | undefined): PlatformTls => {
  const issuer = ifDefined(ingress, (live) => annotationOf(live, ISSUER_ANNOTATION))
  if (issuer !== undefined) return { _tag: 'Issuer', name: issuer }
  const name = textAt(ingress, 'spec', 'tls', 0, 'secretName')
  if (name === undefined) return { _tag: 'None' }
  return name === CERTIFICATE_SECRET ? { _tag: 'SelfSigned' } : { _tag: 'Secret', name }
}

const programOf = (workload: ClusterObject): Json | undefined =>
  listAt(workload, 'spec', 'template', 'spec', 'containers')[0]

const builderIn = (live: ClusterObject): BuilderInstallation => {
  const program = programOf(live)
  const isPrivileged = at(program, 'securityContext', 'privileged') === true
  return { mode: isPrivileged ? 'privileged' : 'rootless', image: textAt(program, 'image') ?? '' }
}

export const readInstallation = ({
  authority,
  builder,
  deployment,
  ingress,
}: InstalledObjects): PlatformInstallation => {
  const program = programOf(deployment)
  const variables = new Map(
    listAt(program, 'env').map((variable) => [textAt(variable, 'name'), textAt(variable, 'value') ?? '']),
  )
  const text = (name: string): string => variables.get(`DEVTOOL_${name}`) ?? ''
  const list = (name: string): ReadonlyArray<string> =>
    text(name)
      .split(',')
      .filter((item) => item !== '')
  const some = (value: string): string | undefined => (value === '' ? undefined : value)
  const number = (name: string): number | undefined => ifDefined(some(text(name)), Number)
  const pem = textAt(authority, 'data', 'ca.crt')
  return {
    image: textAt(program, 'image') ?? '',
    domain: text('DOMAIN'),
    tls: tlsOf(ingress),
    issuer: text('OIDC_ISSUER'),
    client: text('OIDC_CLIENT'),
    ...(text('INSECURE_ISSUER') === 'true' ? { isInsecureIssuer: true } : {}),
    admins: list('ADMINS'),
    allowedDomains: list('ALLOWED_DOMAINS'),
    allowedGroups: list('ALLOWED_GROUPS'),
    proxies: list('TRUSTED_PROXIES'),
    ...defined({
      registry: some(text('REGISTRY')),
      ingressClass: textAt(ingress, 'spec', 'ingressClassName'),
      builder: ifDefined(builder, builderIn),
      sleepAfterSeconds: number('SLEEP_AFTER'),
      previewSeconds: number('PREVIEW_TTL'),
      maxRuns: number('MAX_RUNS'),
      releases: some(text('RELEASE_URL')),
      kubernetes: ifDefined(some(text('KUBERNETES_URL')), (server) => ({ server, ...defined({ authority: pem }) })),
    }),
  }
}
