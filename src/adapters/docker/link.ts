/** A connection to the Docker daemon. */
import type { Duplex } from 'node:stream'
import type { DockerHost } from '../../domain/build/address.ts'
import type { Clock } from '../../ports/clock.ts'

/** `problem`: why it ended, when the connection knows more than its error says. */
export type DockerLink = { readonly socket: Duplex; readonly problem: () => Promise<string | undefined> }

/** The daemon, and the variables for the programs and files used to reach it. */
export type Daemon = {
  readonly clock: Clock
  readonly host: DockerHost
  readonly env: Readonly<Record<string, string | undefined>>
}
