/**
 * What members may expose: host names of their own namespace, and no addresses that belong to others. Host names that
 * an administrator lists on the namespace are allowed too.
 */
import { HOSTS_ANNOTATION } from '../../k8s/labels.ts'
import { changed, inManaged, isTrusted, namespaced, policy, quoted } from './policy.ts'
import type { AdmissionPolicy, Operation } from './types.ts'

const made: ReadonlyArray<Operation> = ['CREATE', 'UPDATE']

const ownHosts = {
  name: 'hosts',
  expression: `namespaceObject.metadata.?annotations[?${quoted(HOSTS_ANNOTATION)}].orValue("").split(",").map(h, h.trim())`,
}

const suffixOf = (domain: string) => ({
  name: 'suffix',
  expression: `"-" + request.namespace + ${quoted(`.${domain}`)}`,
})

/** `host` is a CEL variable. */
const isAllowed = (host: string): string =>
  `(${host} != "" && !${host}.contains("*") && (${host}.endsWith(variables.suffix) || ${host} in variables.hosts))`

const HOST_MESSAGE = 'use host names that end in -NAMESPACE.DOMAIN, or ask an administrator of the platform for another'

const ingresses = (domain: string): AdmissionPolicy =>
  policy('edge-ingress', {
    matchConstraints: {
      namespaceSelector: inManaged,
      resourceRules: [namespaced('networking.k8s.io', ['ingresses'], made)],
    },
    matchConditions: [changed('spec', 'metadata.?annotations')],
    variables: [ownHosts, suffixOf(domain)],
    validations: [
      {
        expression: '!has(object.spec.defaultBackend)',
        message: 'a default backend would answer for every host name',
      },
      {
        expression: `!has(object.spec.rules) || object.spec.rules.all(r, has(r.host) && ${isAllowed('r.host')})`,
        message: HOST_MESSAGE,
      },
      {
        expression: `!has(object.spec.tls) || object.spec.tls.all(t, !has(t.hosts) || t.hosts.all(h, ${isAllowed('h')}))`,
        message: HOST_MESSAGE,
      },
      {
        expression:
          '!has(object.metadata.annotations) || object.metadata.annotations.all(k, !k.endsWith("/server-alias") && !k.endsWith("-snippet") && !k.endsWith("-snippets"))',
        message: 'annotations that add host names or configuration to the ingress controller are not allowed',
      },
    ],
  })

/** Routes of the Gateway API list host names; a route without any would serve all host names of its gateway. */
const routes = (domain: string): AdmissionPolicy =>
  policy('edge-route', {
    matchConstraints: {
      namespaceSelector: inManaged,
      resourceRules: [
        namespaced('gateway.networking.k8s.io', ['httproutes', 'grpcroutes', 'tlsroutes'], made, [
          'v1',
          'v1beta1',
          'v1alpha2',
          'v1alpha3',
        ]),
      ],
    },
    matchConditions: [changed('spec')],
    variables: [ownHosts, suffixOf(domain)],
    validations: [
      {
        expression: `has(object.spec.hostnames) && size(object.spec.hostnames) > 0 && object.spec.hostnames.all(h, ${isAllowed('h')})`,
        message: HOST_MESSAGE,
      },
    ],
  })

/** Other kinds that claim host names, whose rules this policy does not understand. */
const otherWays = policy('edge-other', {
  matchConstraints: {
    namespaceSelector: inManaged,
    resourceRules: [
      namespaced('gateway.networking.k8s.io', ['gateways', 'tcproutes', 'udproutes'], made, [
        'v1',
        'v1beta1',
        'v1alpha2',
      ]),
      namespaced('route.openshift.io', ['routes'], made),
      namespaced('traefik.io', ['ingressroutes', 'ingressroutetcps', 'ingressrouteudps'], made, ['v1alpha1']),
      namespaced('projectcontour.io', ['httpproxies'], made),
      namespaced('networking.istio.io', ['gateways', 'virtualservices'], made, ['v1', 'v1beta1', 'v1alpha3']),
    ],
  },
  matchConditions: [changed('spec')],
  validations: [
    { expression: isTrusted, message: 'use an Ingress or an HTTPRoute: host names of other kinds are not checked' },
  ],
})

const services = policy('edge-service', {
  matchConstraints: { namespaceSelector: inManaged, resourceRules: [namespaced('', ['services'], made)] },
  matchConditions: [changed('spec')],
  validations: [
    {
      expression: 'object.spec.?type.orValue("") != "ExternalName"',
      message: 'a Service of type ExternalName would lead out of the namespace',
    },
    {
      expression: '!has(object.spec.externalIPs) || size(object.spec.externalIPs) == 0',
      message: 'externalIPs would take addresses that belong to others',
    },
  ],
})

/**
 * Network policies are additive: one of a member could allow again what the platform's own deny. Policies between pods
 * of the namespace are allowed.
 */
const egress = policy('edge-egress', {
  matchConstraints: {
    namespaceSelector: inManaged,
    resourceRules: [namespaced('networking.k8s.io', ['networkpolicies'], made)],
  },
  matchConditions: [changed('spec')],
  validations: [
    {
      expression: `${isTrusted} || !has(object.spec.egress) || object.spec.egress.all(e, has(e.to) && size(e.to) > 0 && e.to.all(p, !has(p.ipBlock)))`,
      message: 'egress is opened to pods only: addresses outside of the cluster are up to the platform',
    },
  ],
})

export const edge = (domain: string): ReadonlyArray<AdmissionPolicy> => [
  ingresses(domain),
  routes(domain),
  otherWays,
  services,
  egress,
]
