/** What `doctor --check` finds out about a cluster, and what to do about problems. */

import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { textAt, textsAt } from '../cluster/json.ts'
import { annotationOf, type ClusterObject } from '../cluster/live.ts'
import { type NeededRight, neededRights, showRights } from '../cluster/rights.ts'
import { type EndpointAnswer, type Reached, showAnswer } from '../network/answer.ts'
import { defined } from '../object/defined.ts'
import { type DataOf, document, keys, oneOf } from '../print/document.ts'
import { readQuantity } from '../text/quantity.ts'

const Verdict = oneOf('ok', 'warning', 'failed', 'skipped')
type Verdict = t.TypeOf<typeof Verdict>

const ClusterCheck = keys(
  {
    name: [t.string, 'what was checked'],
    verdict: [Verdict, 'failed: deploy will not work'],
    text: [t.string, 'the message'],
  },
  { help: [t.string, 'what to do'] },
)
export type ClusterCheck = t.TypeOf<typeof ClusterCheck>

export const CheckList = document('doctor --check', 'Whether a cluster has what deploy needs.', {
  checks: [t.readonlyArray(ClusterCheck), 'in the order in which they are shown'],
})
export type CheckList = DataOf<typeof CheckList>

const check = (name: string, verdict: Verdict, text: string, help?: string): ClusterCheck => ({
  name,
  verdict,
  text,
  ...defined({ help }),
})

export const skipped = (name: string, text: string): ClusterCheck => check(name, 'skipped', text)
export const failed = (name: string, text: string, help: string): ClusterCheck => check(name, 'failed', text, help)

/** `missing`: permissions that the cluster denies. */
export const checkRights = (missing: ReadonlyArray<NeededRight>): ClusterCheck => {
  if (missing.some(({ isOptional }) => !isOptional)) {
    const help = 'ask a cluster administrator for the role "edit" in the namespace'
    return check('rights', 'failed', `not allowed: ${showRights(missing)}`, help)
  }
  if (missing.length === 0) return check('rights', 'ok', `all ${neededRights.length} that devtool uses`)
  const help = 'deploy works, but reports less about what goes wrong'
  return check('rights', 'warning', `not allowed: ${showRights(missing)}`, help)
}

/** `v1.34.2` */
export const checkVersion = (version: string): ClusterCheck => {
  const [, minor = ''] = /^v?1\.(\d+)/.exec(version) ?? []
  const known = Number(minor) >= 30 && Number(minor) <= 35
  return known
    ? check('version', 'ok', `Kubernetes ${version}`)
    : check('version', 'warning', `Kubernetes ${version}`, 'devtool is tested with 1.30 to 1.35')
}

const NEARLY = 0.9

const amount = (text: string | undefined): number => {
  const read = readQuantity(text ?? '')
  return E.isRight(read) ? read.right : Number.NaN
}

/** A used-up quota is an error, an almost used-up one a warning. */
export const checkQuotas = (quotas: ReadonlyArray<ClusterObject>): ClusterCheck => {
  const used = quotas.flatMap((quota) =>
    [...textsAt(quota, 'status', 'hard')].map(([name, hard]) => {
      const text = textAt(quota, 'status', 'used', name)
      return { said: `${name} ${text ?? '0'} of ${hard}`, part: amount(text) / amount(hard), hard: amount(hard) }
    }),
  )
  const full = used.filter(({ hard, part }) => part >= 1 && hard > 0)
  const near = used.filter(({ part }) => part >= NEARLY && part < 1)
  const said = (of: typeof used): string => of.map((one) => one.said).join(', ')
  const help = 'destroy what is not needed, or ask a cluster administrator for more'
  if (full.length > 0) return check('quota', 'failed', `used up: ${said(full)}`, help)
  if (near.length > 0) return check('quota', 'warning', `nearly used up: ${said(near)}`, help)
  return check('quota', 'ok', quotas.length === 0 ? 'there is none' : said(used))
}

const isDefault = (live: ClusterObject, annotation: string): boolean => annotationOf(live, annotation) === 'true'

export const checkStorage = (classes: ReadonlyArray<ClusterObject>): ClusterCheck => {
  const found = classes.find((live) => isDefault(live, 'storageclass.kubernetes.io/is-default-class'))
  if (found !== undefined) return check('storage', 'ok', `default class ${found.metadata.name}`)
  const names = classes.map(({ metadata }) => metadata.name).join(', ')
  return check(
    'storage',
    'warning',
    names === '' ? 'there is no storage class' : `no class is the default; there are ${names}`,
    'volumes need a class of their own: driver_opts.class in the Compose file',
  )
}

/** `wanted`: the class that the context or a flag names. */
export const checkIngress = (classes: ReadonlyArray<ClusterObject>, wanted: string | undefined): ClusterCheck => {
  const names = classes.map(({ metadata }) => metadata.name)
  const help = 'public addresses answer only with an Ingress controller; name its class with --ingress-class'
  if (wanted !== undefined) {
    return names.includes(wanted)
      ? check('ingress', 'ok', `class ${wanted}`)
      : check('ingress', 'failed', `there is no class ${wanted}; there are ${names.join(', ')}`, help)
  }
  const found = classes.find((live) => isDefault(live, 'ingressclass.kubernetes.io/is-default-class'))
  if (found !== undefined) return check('ingress', 'ok', `default class ${found.metadata.name}`)
  const text =
    names.length === 0 ? 'there is no Ingress class' : `no class is the default; there are ${names.join(', ')}`
  return check('ingress', 'warning', text, help)
}

/** Any response at all shows that the name resolves. */
export const checkDomain = (domain: string, answer: EndpointAnswer): ClusterCheck => {
  const text = `a name under ${domain}: ${showAnswer(answer)}`
  if (answer._tag === 'Answered') return check('domain', 'ok', text)
  const help =
    answer.because === 'UnknownName'
      ? `point *.${domain} at the Ingress controller, or choose another domain with --domain`
      : 'nothing answers at the address of the domain: check the Ingress controller and the network path to it'
  return check('domain', answer.because === 'UnknownName' ? 'failed' : 'warning', text, help)
}

export const checkRegistry = (
  host: string,
  secure: EndpointAnswer,
  plain: EndpointAnswer | undefined,
): ClusterCheck => {
  if (secure._tag === 'Answered') {
    const isRegistry = [200, 401, 403].includes(secure.status)
    return isRegistry
      ? check('registry', 'ok', `${host} answers`)
      : check('registry', 'warning', `${host} answers ${secure.status}`, 'check that it is a registry')
  }
  if (plain?._tag === 'Answered') {
    const help = 'nodes and builders reject it unless it is configured as an insecure registry'
    return check('registry', 'warning', `${host} only answers without TLS`, help)
  }
  return failed('registry', `${host}: ${showAnswer(secure)}`, 'check the address, and that you are on its network')
}

export const checkBuilder = (address: string, reached: Reached): ClusterCheck =>
  reached._tag === 'Open'
    ? check('builder', 'ok', `${address} accepts connections`)
    : failed('builder', `${address}: ${showAnswer(reached)}`, 'check BUILDKIT_HOST, and that the builder is running')
