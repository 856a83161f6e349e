/** Public addresses of an environment, from its Ingresses. */
import * as t from 'io-ts'
import { hasAddress, ingressClassOf } from '../cluster/ingress.ts'
import { at, listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type EndpointAnswer, showAnswer, whyUnanswered } from '../network/answer.ts'
import { type DataOf, document, keys } from '../print/document.ts'

/** `service`: the Service that it routes to. `trouble`: why it may not respond. */
export type EndpointAddress = {
  readonly url: string
  readonly service: string
  readonly developedBy?: string
  readonly developedSince?: string
  readonly trouble?: string
}

const AskedEndpoint = keys(
  {
    url: [t.string, 'the address'],
    service: [t.string, 'the Service that it routes to'],
    answers: [t.boolean, 'whether the application responds'],
  },
  {
    status: [t.number, 'HTTP status of the response'],
    ms: [t.number, 'milliseconds until the response'],
    reason: [t.string, 'why it does not respond'],
    developedBy: [t.string, 'who develops the service with `devtool up`: only what runs there responds'],
    developedSince: [t.string, 'since when, in UTC'],
    remark: [t.string, 'why clients may refuse the response, for example a certificate that is not trusted'],
  },
)

export const EndpointList = document(
  'endpoints, preview endpoints',
  'The public addresses of an environment, with the response of each.',
  {
    environment: [t.string, 'name of the environment'],
    namespace: [t.string, 'the namespace'],
    endpoints: [t.readonlyArray(AskedEndpoint), 'by service, then by address'],
  },
)
export type EndpointList = DataOf<typeof EndpointList>

type Asked = Pick<t.TypeOf<typeof AskedEndpoint>, 'answers' | 'status' | 'ms' | 'reason' | 'remark'>

/** A proxy that has nothing to send the request to does not respond for the application. */
export const askedOf = (answer: EndpointAnswer): Asked => {
  if (answer._tag === 'Silent') return { answers: false, reason: showAnswer(answer) }
  const { ms, status } = answer
  return whyUnanswered(status) === undefined
    ? { answers: true, status, ms }
    : { answers: false, status, ms, reason: showAnswer(answer) }
}

/** `behind`: the answer when any certificate is accepted. `why`: why the certificate is not trusted here. */
export const askedBehind = (behind: EndpointAnswer, why: string): Asked => ({
  ...askedOf(behind),
  remark: `but not trusted here: ${why}`,
})

const secureHosts = (ingress: ClusterObject): ReadonlySet<string> =>
  new Set(
    listAt(ingress, 'spec', 'tls').flatMap((entry) =>
      listAt(entry, 'hosts').flatMap((host) => (typeof host === 'string' ? [host] : [])),
    ),
  )

/** Patterns like `/api(/|$)(.*)` are for the Ingress controller: the URL ends with the fixed part. */
const pathOf = (path: string): string => /^[\w./~%-]*/.exec(path)?.[0] || '/'

const troubleOf = (ingress: ClusterObject): Pick<EndpointAddress, 'trouble'> => {
  if (hasAddress(ingress)) return {}
  const name = ingressClassOf(ingress)
  return { trouble: `no Ingress controller has given it an address${name === undefined ? '' : ` (class ${name})`}` }
}

const urlsOf = (ingress: ClusterObject): ReadonlyArray<EndpointAddress> => {
  const secure = secureHosts(ingress)
  return listAt(ingress, 'spec', 'rules').flatMap((rule) => {
    const host = textAt(rule, 'host')
    if (host === undefined || host === '' || host.startsWith('*')) return []
    const root = `${secure.has(host) ? 'https' : 'http'}://${host}`
    const paths = listAt(rule, 'http', 'paths')
    if (paths.length === 0 && at(ingress, 'spec', 'defaultBackend') === undefined) return []
    return paths.map((path) => ({
      url: root + pathOf(textAt(path, 'path') ?? '/'),
      service: textAt(path, 'backend', 'service', 'name') ?? '',
      ...troubleOf(ingress),
    }))
  })
}

/** Sorted by service, then by address; each address once. Hosts listed under `tls` use HTTPS, others HTTP. */
export const endpointsOf = (ingresses: ReadonlyArray<ClusterObject>): ReadonlyArray<EndpointAddress> => {
  const byUrl = new Map<string, EndpointAddress>()
  for (const endpoint of ingresses.flatMap(urlsOf)) if (!byUrl.has(endpoint.url)) byUrl.set(endpoint.url, endpoint)
  const key = ({ service, url }: EndpointAddress): string => `${service}\0${url}`
  return [...byUrl.values()].toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}
