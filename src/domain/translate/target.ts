/** Where the objects are meant to go: what the files do not say. */

/**
 * Without `namespace` no object names one and hosts say `default`. Without `domain` hosts end in `localhost` and are served
 * without TLS. `volumeAffinity`: services that share a claim are put on one node.
 */
export type DeployTarget = {
  readonly environment: string
  readonly namespace?: string
  readonly domain?: string
  readonly ingressClass?: string
  readonly tlsSecret?: string
  readonly volumeAffinity: boolean
  /** `false` spares the origins of the actions, which take as much room as the objects. */
  readonly withOrigins?: boolean
}
