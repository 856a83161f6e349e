/** Flags for what a cluster does not tell about itself: deploy needs it, and a context remembers it. */
import { text } from './flag.ts'

export const registry = text('--registry', { value: 'HOST', about: 'registry for built images' })

/** `about`: the description of the domain flag. */
export const targetFlags = (about: string) => ({
  domain: text('--domain', { value: 'DOMAIN', about }),
  registry,
  ingressClass: text('--ingress-class', { value: 'NAME', about: 'class of every Ingress' }),
  tlsSecret: text('--tls-secret', { value: 'NAME', about: 'Secret with the certificate of every Ingress' }),
})
