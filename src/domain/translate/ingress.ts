/** Ingresses: one for each host, from public ports and from `endpoints`. */

import type { Annotation } from '../compose/annotation.ts'
import type { ComposeService, Endpoint, EndpointRule, Port } from '../compose/model.ts'
import { tcpPortsOf } from '../compose/read/tcp-ports.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Ingress, Strings } from '../k8s/types.ts'
import { dnsLabel } from '../text/dns-name.ts'
import type { Span } from '../text/source.ts'
import { labelsOf, type TranslationContext } from './context.ts'
import { type Draft, from } from './draft.ts'
import { annotationsOf, metadataOf } from './metadata.ts'
import { ingressBackend } from './names.ts'
import type { DeployTarget } from './target.ts'

/** `service` is the name of a Service, `port` one of its ports. */
type Route = { readonly path: string; readonly service: string; readonly port: number; readonly at: Span }

/** One Ingress before those of the same host are merged. `of` is the service whose ports it serves. */
type Site = {
  readonly name: string
  readonly host: string
  readonly of?: ComposeService
  readonly annotations: ReadonlyArray<Annotation>
  readonly routes: ReadonlyArray<Route>
  readonly at: Span
}

export type Sites = {
  /** Keyed by the Compose name of the service whose ports they serve. */
  readonly ofPorts: ReadonlyMap<string, ReadonlyArray<Site>>
  readonly ofEndpoints: ReadonlyArray<Site>
  /** Names of the Services that they route to. */
  readonly backends: ReadonlySet<string>
  readonly findings: ReadonlyArray<Diagnostic>
}

/** `<label>-<namespace>.<domain>`; if the first label is longer than 63 characters, it is cut and ends in a hash. */
const hostOf = ({ namespace = 'default', domain = 'localhost' }: DeployTarget, label: string): string =>
  `${dnsLabel(`${label}-${namespace}`)}.${domain}`

/** An Ingress serves HTTP, hence TCP. */
const isRoutable = ({ isPublic, protocol }: Port): boolean => isPublic && protocol === 'TCP'

const portSites = (target: DeployTarget, service: ComposeService): ReadonlyArray<Site> => {
  const ports = service.ports.filter(isRoutable)
  return ports.map((port) => {
    const name = ports.length === 1 ? service.object : dnsLabel(`${service.object}-${port.target}`)
    const routes = [{ path: '/', service: ingressBackend(service), port: port.target, at: port.at }]
    return { name, host: hostOf(target, name), of: service, annotations: service.annotations, routes, at: port.at }
  })
}

type PortsOf = ReturnType<typeof tcpPortsOf>

/** Empty when the rule refers to no TCP port: reading the model has reported that (DT1033). */
const routeOf = (
  services: ReadonlyMap<string, ComposeService>,
  portsOf: PortsOf,
  rule: EndpointRule,
): ReadonlyArray<Route> => {
  const service = services.get(rule.service)
  const port = service === undefined ? undefined : portsOf(service).get(rule.port)
  if (service === undefined || port === undefined) return []
  return [{ path: rule.path, service: ingressBackend(service), port: port.target, at: rule.at }]
}

const endpointSite = (
  { services, target }: TranslationContext,
  portsOf: PortsOf,
  { object, annotations, rules, at }: Endpoint,
): Site => ({
  name: object,
  host: hostOf(target, object),
  annotations,
  routes: rules.flatMap((rule) => routeOf(services, portsOf, rule)),
  at,
})

const clash = (host: string, route: Route, first: Route): Diagnostic =>
  error(
    'DT1034',
    `"${host}${route.path}" routes to both "${route.service}:${route.port}" and "${first.service}:${first.port}"`,
    {
      at: route.at,
      help: 'give one of them another path or another endpoint name',
      related: [{ at: first.at, message: `leads to "${first.service}:${first.port}"` }],
    },
  )

/** Path prefixes match whole segments, so a trailing slash makes no difference. */
const pathKey = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

/** Merges the sites of one host into the first, with the paths of all; DT1034 for a path with two backends. */
const merge = (sites: ReadonlyArray<Site>, found: Array<Diagnostic>): ReadonlyArray<Site> => {
  const hosts = new Map<string, Array<Site>>()
  for (const site of sites) {
    const same = hosts.get(site.host)
    if (same === undefined) hosts.set(site.host, [site])
    else same.push(site)
  }
  return [...hosts.values()].flatMap((same) => {
    const [first, ...others] = same
    if (first === undefined) return []
    const routes = new Map<string, Route>()
    for (const route of same.flatMap((site) => site.routes)) {
      const known = routes.get(pathKey(route.path))
      if (known === undefined) routes.set(pathKey(route.path), route)
      else if (known.service !== route.service || known.port !== route.port) found.push(clash(first.host, route, known))
    }
    const annotations = [...others.flatMap((site) => site.annotations), ...first.annotations]
    return routes.size === 0 ? [] : [{ ...first, annotations, routes: [...routes.values()] }]
  })
}

/** Endpoints come first: a public port with the same host is added to the endpoint. */
export const sitesOf = (
  context: TranslationContext,
  services: ReadonlyArray<ComposeService>,
  endpoints: ReadonlyArray<Endpoint>,
): Sites => {
  const findings: Array<Diagnostic> = []
  const portsOf = tcpPortsOf()
  const written = endpoints.map((endpoint) => endpointSite(context, portsOf, endpoint))
  const sites = merge([...written, ...services.flatMap((service) => portSites(context.target, service))], findings)
  const ofPorts = new Map<string, Array<Site>>()
  for (const site of sites) {
    if (site.of === undefined) continue
    const others = ofPorts.get(site.of.name)
    if (others === undefined) ofPorts.set(site.of.name, [site])
    else others.push(site)
  }
  const backends = new Set(sites.flatMap(({ routes }) => routes.map(({ service }) => service)))
  return { ofPorts, ofEndpoints: sites.filter((site) => site.of === undefined), backends, findings }
}

const siteLabels = (context: TranslationContext, { of }: Site): Strings =>
  of === undefined ? context.labels : labelsOf(context, of).own

export const ingressOf = (context: TranslationContext, site: Site): Draft<Ingress> => {
  const { domain = 'localhost', ingressClass, tlsSecret } = context.target
  const isPlain = domain === 'localhost' && tlsSecret === undefined
  const paths = site.routes.map(({ path, service, port, at }) =>
    from(at, { path, pathType: 'Prefix' as const, backend: { service: { name: service, port: { number: port } } } }),
  )
  return from(site.at, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadataOf(context, site.name, siteLabels(context, site), annotationsOf(site.annotations)),
    spec: {
      ingressClassName: ingressClass,
      tls: isPlain ? undefined : [{ hosts: [site.host], secretName: tlsSecret }],
      rules: [{ host: from(site.at, site.host), http: { paths } }],
    },
  })
}
