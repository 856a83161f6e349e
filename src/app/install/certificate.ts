/** Server certificates of the platform's own authorities. An authority is never replaced, since clients trust it. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { textAt } from '../../domain/cluster/json.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import {
  BUILDER_AUTHORITY_SECRET,
  BUILDER_CERTIFICATE_SECRET,
  BUILDER_HOST,
} from '../../domain/platform/manifests/builder.ts'
import { AUTHORITY_SECRET, CERTIFICATE_SECRET, hostOf } from '../../domain/platform/manifests/installation.ts'
import { BUILDER_NAMESPACE, SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import { decodeBase64 } from '../../domain/text/base64.ts'
import type { Certificates, Identity } from '../../ports/certificates.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'

export type OwnCertificate = {
  readonly authority: Identity
  /** The server's certificate, followed by that of the authority. */
  readonly server: Identity
  /** The fingerprint of the authority. */
  readonly fingerprint: string
}

/** `title`: that of the authority. `secrets`: where both are kept. `host`: of the server. */
type CertificateUse = {
  readonly title: string
  readonly host: string
  readonly secrets: Readonly<Record<'authority' | 'server', { readonly namespace: string; readonly name: string }>>
}

export const ofPlatform = (domain: string): CertificateUse => ({
  title: 'devtool platform',
  host: hostOf(domain),
  secrets: {
    authority: { namespace: SYSTEM_NAMESPACE, name: AUTHORITY_SECRET },
    server: { namespace: SYSTEM_NAMESPACE, name: CERTIFICATE_SECRET },
  },
})

export const ofBuilder: CertificateUse = {
  title: 'devtool builder',
  host: BUILDER_HOST,
  secrets: {
    authority: { namespace: SYSTEM_NAMESPACE, name: BUILDER_AUTHORITY_SECRET },
    server: { namespace: BUILDER_NAMESPACE, name: BUILDER_CERTIFICATE_SECRET },
  },
}

type Asked = { readonly target: Pick<Target, 'cluster'>; readonly signal: AbortSignal }

const DAY_MS = 24 * 3_600_000
const AUTHORITY_DAYS = 3650
/** Some clients reject certificates with a longer lifetime. */
const SERVER_DAYS = 825
/** A certificate with less time left is replaced. */
const SPARE_DAYS = 365

const stored = (live: ClusterObject | undefined, name: string): string =>
  new TextDecoder().decode(decodeBase64(textAt(live, 'data', name) ?? ''))

const authorityIn = (
  { authority, read }: Certificates,
  title: string,
  live: ClusterObject | undefined,
  nowMs: number,
): Identity & { readonly fingerprint: string } => {
  const kept: Identity = { certificate: stored(live, 'ca.crt'), key: stored(live, 'ca.key') }
  const known = read(kept.certificate, kept.certificate)
  const lasts = known !== undefined && known.endsMs > nowMs + SERVER_DAYS * DAY_MS
  if (lasts && kept.key !== '') return { ...kept, fingerprint: known.fingerprint }
  const made = authority(title, { nowMs, days: AUTHORITY_DAYS })
  return { ...made, fingerprint: read(made.certificate, made.certificate)?.fingerprint ?? '' }
}

const certificateIn = (
  certificates: Certificates,
  [ofAuthority, ofServer]: readonly [ClusterObject | undefined, ClusterObject | undefined],
  { host, title }: CertificateUse,
  nowMs: number,
): OwnCertificate => {
  const { fingerprint, ...authority } = authorityIn(certificates, title, ofAuthority, nowMs)
  const kept: Identity = { certificate: stored(ofServer, 'tls.crt'), key: stored(ofServer, 'tls.key') }
  const known = certificates.read(kept.certificate, authority.certificate)
  const isGood = known !== undefined && known.hosts.includes(host) && known.endsMs > nowMs + SPARE_DAYS * DAY_MS
  const server = isGood ? kept : certificates.issue(authority, [host], { nowMs, days: SERVER_DAYS })
  return { authority, server, fingerprint }
}

export const certificateFor = (
  { certificates, clock }: Pick<Ports, 'certificates' | 'clock'>,
  { signal, target: { cluster } }: Asked,
  wanted: CertificateUse,
): TE.TaskEither<Diagnostic, OwnCertificate> => {
  const secret = (kind: keyof CertificateUse['secrets']): TE.TaskEither<Diagnostic, ClusterObject | undefined> =>
    TE.mapLeft(failureDiagnostic)(cluster.get({ resource: resources.Secret, ...wanted.secrets[kind] }, signal))
  return pipe(
    secret('authority'),
    TE.bindTo('ofAuthority'),
    TE.bind('ofServer', () => secret('server')),
    TE.bind('made', () => TE.fromTask(certificates)),
    TE.map(({ made, ofAuthority, ofServer }) => certificateIn(made, [ofAuthority, ofServer], wanted, clock.wallMs())),
  )
}
