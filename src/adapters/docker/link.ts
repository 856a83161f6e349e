/** A connection on which the Docker daemon is, or will be, at the other end. */
import type { Duplex } from 'node:stream'
import type { DockerHost } from '../../domain/build/address.ts'
import type { Clock } from '../../ports/clock.ts'

/** `problem`: why it ended, when the connection knows better than its errors. */
export type DockerLink = { readonly socket: Duplex; readonly problem: () => Promise<string | undefined> }

/** The daemon, and the variables of the programs and files with which it is reached. */
export type Daemon = {
  readonly clock: Clock
  readonly host: DockerHost
  readonly env: Readonly<Record<string, string | undefined>>
}
