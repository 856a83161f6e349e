/** The input of `up`: one workload to develop, and everything from this machine that it gets. */
import type { DevBase, DevContainer } from '../manifest/dev-model.ts'
import type { Holder } from './record.ts'

/**
 * Actions that need the user's consent: ending the pods of a DaemonSet on all nodes, ending a running Job, pausing an
 * application of Argo CD.
 */
export type Consent = 'Application' | 'Nodes' | 'RunningJob'

/** A question to be answered before anything is written. */
export type ConsentAsked = { readonly consent: Consent; readonly text: string }

/** `base64` of the content; `mode` is the number itself: 0o644 is 420. */
export type SecretFile = { readonly remote: string; readonly mode: number; readonly base64: string }

export type EnvironmentValue = { readonly name: string; readonly value: string }

/** `files` and `keys` by name, in base64: the content of the agent's ConfigMap and Secret. */
type AgentGiven = {
  readonly image: string
  readonly files: Readonly<Record<string, string>>
  readonly keys: Readonly<Record<string, string>>
}

/**
 * `service`: develop this service of the development container instead of the container itself. `main`: the mirror of
 * that container. `image`: instead of the section's. `environment`: all variables to set, each name once. `now`: RFC
 * 3339. `isRunning`: a process of this machine has the pid of the record's holder.
 */
export type UpRequest = {
  readonly dev: DevContainer
  readonly service?: DevBase
  readonly main?: string
  readonly holder: Holder
  readonly now: string
  readonly isRunning: boolean
  readonly takesOver: boolean
  readonly agent: AgentGiven
  readonly image?: string
  readonly environment: ReadonlyArray<EnvironmentValue>
  readonly secrets: ReadonlyArray<SecretFile>
  readonly consents: ReadonlySet<Consent>
}
