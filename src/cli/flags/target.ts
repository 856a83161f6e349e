/** Flags for facts that a cluster does not provide: deploy needs them, and a context stores them. */
import { text } from './flag.ts'

export const registry = text('--registry', { value: 'HOST', about: 'registry for built images' })

/** `about`: the description of the domain flag. */
export const targetFlags = (about: string) => ({
  domain: text('--domain', { value: 'DOMAIN', about }),
  registry,
  ingressClass: text('--ingress-class', { value: 'NAME', about: 'class of every Ingress' }),
  tlsSecret: text('--tls-secret', { value: 'NAME', about: 'Secret with the certificate of every Ingress' }),
})
