/** The target of the objects, which the Compose files do not name. */

/**
 * Without `namespace`, objects have no namespace and hosts use `default`. Without `domain`, hosts end in `localhost`
 * and are served without TLS. `volumeAffinity`: services that share a claim are scheduled on the same node.
 */
export type DeployTarget = {
  readonly environment: string
  readonly namespace?: string
  readonly domain?: string
  readonly ingressClass?: string
  readonly tlsSecret?: string
  readonly volumeAffinity: boolean
  /** `false` leaves out the origins of the actions, which take as much memory as the objects. */
  readonly withOrigins?: boolean
}
