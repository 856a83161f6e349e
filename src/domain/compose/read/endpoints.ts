/** Top-level `endpoints` in its three notations (reference, "Endpoints"). */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import { inRange } from '../../shape/parse.ts'
import type { ValueOf } from '../../shape/shape.ts'
import { dnsLabel } from '../../text/dns-name.ts'
import type { Node } from '../../yaml/node.ts'
import { endpointLabels, endpointRules, type endpoints } from '../fields/endpoints.ts'
import type { ComposeService, Endpoint, EndpointRule, Port } from '../model.ts'
import { type ServiceNames, unknownService } from './depends-on.ts'
import { legalAnnotations } from './labels.ts'
import { tcpPortsOf } from './tcp-ports.ts'

type Raw = ValueOf<typeof endpoints>
type Rules = ValueOf<typeof endpointRules>
type Rule = Rules['value'][number]

/** What the rules are checked against. */
export type Backends = { readonly services: ReadonlyMap<string, ComposeService>; readonly names: ServiceNames }

type Checks = Backends & { readonly portsOf: ReturnType<typeof tcpPortsOf> }

const mostListed = 20

/** The first ports, since there may be thousands. */
const listing = (ports: ReadonlyMap<number, Port>): string => {
  const listed: Array<number> = []
  for (const [number, { target }] of ports) {
    // Published ones come last.
    if (number !== target) break
    if (listed.length === mostListed) return `${listed.join(', ')}, …`
    listed.push(target)
  }
  return listed.join(', ')
}

const fault = (rule: Rule, message: string, help?: string): Diagnostic =>
  error('DT1033', message, { at: rule.at, path: rule.path, help })

/** What the API server rejects in the path of an Ingress. */
const unroutable = /\/\/|\/\.\.?(?:\/|$)|%2f/i

const readRule =
  ({ services, names, portsOf }: Checks) =>
  (rule: Rule): Checked<EndpointRule | undefined> => {
    const { path, service, port } = rule.value
    if (path === undefined || service === undefined || port === undefined) {
      return C.fail(fault(rule, 'a rule needs path, service and port'))
    }
    const found: Array<Diagnostic> = [...C.findings(inRange('a port', 1, 65_535)(port))]
    if (!path.value.startsWith('/')) found.push({ ...fault(rule, `the path "${path.value}" does not begin with /`) })
    if (unroutable.test(path.value)) {
      found.push(fault(rule, `Kubernetes routes no path with empty or dotted parts: "${path.value}"`))
    }
    const target = services.get(service.value)
    if (!names.all.has(service.value))
      found.push({ ...unknownService(service.value, service, names.all), code: 'DT1033' })
    if (target === undefined) {
      const isOff = names.all.has(service.value) && !names.enabled.has(service.value)
      if (isOff)
        found.push(
          warning('DT1110', `the rule is left out: "${service.value}" is not enabled by the active profiles`, {
            at: rule.at,
            path: rule.path,
          }),
        )
      return C.note(undefined, found)
    }
    const ports = portsOf(target)
    if (!ports.has(port.value)) {
      const listed = listing(ports)
      found.push(
        error('DT1033', `"${service.value}" has no port ${port.value}`, {
          at: port.at,
          path: rule.path,
          help: listed === '' ? `add ${port.value} to its ports` : `its ports are ${listed}`,
        }),
      )
    }
    return C.note({ path: path.value, service: service.value, port: port.value, at: rule.at }, found)
  }

const toEndpoint = (
  backends: Checks,
  key: string,
  at: Node,
  rules: Rules,
  labels: Checked<Endpoint['annotations']>,
): Checked<Endpoint> => {
  const parts = C.struct({ rules: C.each(readRule(backends))(rules.value), annotations: labels })
  return C.andThen((read: C.ValueIn<typeof parts>) => {
    const object = dnsLabel(key)
    const found =
      object === key
        ? []
        : [warning('DT1103', `"${key}" is not a DNS label, so ${object} is used`, { at, path: rules.path })]
    return C.note<Endpoint>(
      {
        key,
        object,
        annotations: read.annotations ?? [],
        rules: (read.rules ?? []).filter((r) => r !== undefined),
        at,
      },
      found,
    )
  })(parts)
}

const isEntryList = (value: Raw['value']): value is Rules['value'] => value.every((item) => !('key' in item))

const noAnnotations = C.ok<Endpoint['annotations']>([])

/** `{labels, rules}`: a map of endpoints cannot have both of these keys. */
const readObject = (raw: Raw, environment: string, backends: Checks): Checked<ReadonlyArray<Endpoint>> => {
  const part = (key: string): Node | undefined =>
    raw.at._tag === 'Mapping' ? raw.at.entries.find((entry) => entry.key.text === key)?.value : undefined
  const [rules, labels] = [part('rules'), part('labels')]
  if (rules === undefined)
    return C.fail(error('DT1033', 'endpoints has labels but no rules', { at: raw.at, path: raw.path }))
  const annotations =
    labels === undefined
      ? noAnnotations
      : C.andThen((read: ValueOf<typeof endpointLabels>) => legalAnnotations(read.value))(
          endpointLabels.read(labels, `${raw.path}.labels`),
        )
  return C.andThen((read: Rules) =>
    C.map((endpoint: Endpoint) => [endpoint])(toEndpoint(backends, environment, raw.at, read, annotations)),
  )(endpointRules.read(rules, `${raw.path}.rules`))
}

/** One endpoint for each host. Finds DT1002, DT1004, DT1018, DT1033; warns DT1103, DT1110. */
export const readEndpoints = (
  raw: Raw | undefined,
  environment: string,
  against: Backends,
): Checked<ReadonlyArray<Endpoint>> => {
  if (raw === undefined) return C.ok([])
  const { value } = raw
  const backends = { ...against, portsOf: tcpPortsOf() }
  if (raw.at._tag === 'Sequence' && isEntryList(value)) {
    return C.map((endpoint: Endpoint) => (endpoint.rules.length === 0 ? [] : [endpoint]))(
      toEndpoint(backends, environment, raw.at, { value, at: raw.at, path: raw.path }, noAnnotations),
    )
  }
  const keys =
    raw.at._tag === 'Mapping'
      ? raw.at.entries.map((entry) => entry.key.text).filter((key) => !key.startsWith('x-'))
      : []
  if (keys.length > 0 && keys.every((key) => key === 'labels' || key === 'rules'))
    return readObject(raw, environment, backends)
  const entries = raw.at._tag === 'Mapping' ? raw.at.entries.filter((entry) => !entry.key.text.startsWith('x-')) : []
  return C.each((entry: (typeof entries)[number]) => {
    const path = `${raw.path}.${entry.key.text}`
    return C.andThen((rules: Rules) => toEndpoint(backends, entry.key.text, entry.key, rules, noAnnotations))(
      endpointRules.read(entry.value, path),
    )
  })(entries)
}
