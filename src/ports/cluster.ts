/**
 * One cluster, in the terms of its API. Nothing is decided here: bodies are sent as they are, and responses returned as
 * they came. Idempotent requests are retried with backoff until the signal comes; a write that may have happened is
 * not.
 */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../domain/cluster/failure.ts'
import type { JsonObject } from '../domain/cluster/json.ts'
import type { ClusterObject } from '../domain/cluster/live.ts'
import type { ObjectKey, Resource } from '../domain/cluster/resources.ts'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { Pods } from './pods.ts'

/** Selectors as the API writes them (`a=b,c`). */
export type Selection = {
  readonly resource: Resource
  readonly namespace?: string
  readonly labels?: string
  readonly fields?: string
}

/** `version`: where a watch resumes. */
export type Listing = { readonly items: ReadonlyArray<ClusterObject>; readonly version: string }

/** Part of a list. `next`: the continue token of the next part; absent for the last one. */
export type Page = Listing & { readonly next?: string }

/** Whom to impersonate: `system:serviceaccount:NAMESPACE:NAME`, or a user. */
export type Account = { readonly user: string; readonly groups?: ReadonlyArray<string> }

/** `warnings`: the server's Warning headers. */
export type AppliedObject = {
  readonly object: ClusterObject
  readonly isNew: boolean
  readonly warnings: ReadonlyArray<string>
}

/** `manager`: the field manager. `isDryRun`: the server does everything except store the result. */
export type WriteOptions = { readonly manager: string; readonly isDryRun?: boolean; readonly signal?: AbortSignal }

/** `force` takes over fields that others manage. */
export type ApplyOptions = WriteOptions & { readonly force?: boolean }

export type Propagation = 'Foreground' | 'Background' | 'Orphan'

/** With `uid` and `resourceVersion`, deletes only that object, as it was read. */
export type RemoveOptions = {
  readonly uid?: string
  readonly resourceVersion?: string
  readonly propagation: Propagation
  readonly isDryRun?: boolean
  readonly signal?: AbortSignal
}

/** `Version`: a bookmark. The stream simply ends when the server closes it, and with `Failed` when it breaks. */
export type WatchEvent =
  | { readonly _tag: 'Seen'; readonly object: ClusterObject }
  | { readonly _tag: 'Removed'; readonly object: ClusterObject }
  | { readonly _tag: 'Version'; readonly version: string }
  | { readonly _tag: 'Failed'; readonly failure: Failure }

/**
 * `tail`: lines from the end; `sinceSeconds`: at least 1; `sinceTime`: as `2026-11-21T10:00:00Z`, to the second: lines
 * of that second are included. Only one of the last two.
 */
export type LogOptions = {
  readonly container: string
  readonly follow: boolean
  readonly isPrevious?: boolean
  readonly sinceSeconds?: number
  readonly sinceTime?: string
  readonly tail?: number
  readonly timestamps?: boolean
}

/** `Refused`: nothing listens on the port. */
export type PortState = 'Open' | 'Refused'

/** What a command created through the labelling proxy. `isForeign`: outside of the environment's namespace. */
export type Created = {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly uid: string
  readonly isForeign: boolean
}

/** `kubeconfig`: the path of a file for the proxy, without any of the user's credentials. */
export type LabellingProxy = {
  readonly kubeconfig: string
  readonly created: () => ReadonlyArray<Created>
  readonly close: () => Promise<void>
}

export type Cluster = {
  /** The address of the API server. */
  readonly server: string
  /** How the server is verified, according to the kubeconfig: certificates, or the path of a file. */
  readonly authority?: string
  /** Security warnings about the connection, to be reported before it is used. */
  readonly warnings: ReadonlyArray<Diagnostic>
  /** `undefined` when it does not exist. */
  readonly get: (key: ObjectKey, signal?: AbortSignal) => TaskEither<Failure, ClusterObject | undefined>
  /** All pages. `isMetadataOnly`: without spec, status and data. */
  readonly list: (
    selection: Selection,
    options?: { readonly isMetadataOnly?: boolean; readonly signal?: AbortSignal },
  ) => TaskEither<Failure, Listing>
  /** At most `limit` items. Fails with Gone when the continue token `next` has expired. */
  readonly page: (
    selection: Selection,
    options: {
      readonly limit: number
      readonly next?: string
      readonly isMetadataOnly?: boolean
      readonly signal?: AbortSignal
    },
  ) => TaskEither<Failure, Page>
  /** Starts at `version`, or with a list when there is none. Ends with the signal. Never retries. */
  readonly watch: (
    selection: Selection & { readonly version?: string; readonly isMetadataOnly?: boolean },
    signal: AbortSignal,
  ) => AsyncIterable<WatchEvent>
  /**
   * Server-side apply of exactly these bytes, with `fieldValidation=Strict`. With a `uid` in the metadata it applies
   * only to that object, with a `resourceVersion` only to that version.
   */
  readonly apply: (key: ObjectKey, body: string, options: ApplyOptions) => TaskEither<Failure, AppliedObject>
  /**
   * POST; `name` is in the body. 409 AlreadyExists is a refusal. Also for reviews, which return the object with its
   * status.
   */
  readonly create: (
    selection: Pick<Selection, 'resource' | 'namespace'>,
    body: JsonObject,
    options: WriteOptions,
  ) => TaskEither<Failure, JsonObject>
  /** PUT: with a `resourceVersion` in the body no other change is overwritten. */
  readonly replace: (key: ObjectKey, body: JsonObject, options: WriteOptions) => TaskEither<Failure, ClusterObject>
  /** A JSON merge patch of an existing object; `uid` and `resourceVersion` as for `apply`. */
  readonly merge: (key: ObjectKey, body: JsonObject, options: WriteOptions) => TaskEither<Failure, ClusterObject>
  /**
   * An object that does not exist is no failure; one with another uid is. `Going`: the object exists for a while
   * longer.
   */
  readonly remove: (key: ObjectKey, options: RemoveOptions) => TaskEither<Failure, 'Absent' | 'Going'>
  /** Complete lines without line ends. Ends with the container, or with the signal; a failure is the last item. */
  readonly logs: (
    key: ObjectKey,
    options: LogOptions,
    signal: AbortSignal,
  ) => AsyncIterable<
    { readonly _tag: 'Line'; readonly text: string } | { readonly _tag: 'Failed'; readonly failure: Failure }
  >
  /** Whether a TCP port of a pod accepts connections, through the API server. */
  readonly probePort: (key: ObjectKey, port: number, signal: AbortSignal) => TaskEither<Failure, PortState>
  readonly pods: Pods
  /** All kinds that can be listed and deleted, in their preferred versions. */
  readonly resources: (signal?: AbortSignal) => TaskEither<Failure, ReadonlyArray<Resource>>
  /** `v1.34.2`. */
  readonly version: (signal?: AbortSignal) => TaskEither<Failure, string>
  /**
   * A proxy for commands: objects they create in `namespace` get the label of the environment. `context`: what its
   * kubeconfig calls the way there, so that commands which name the user's context work.
   */
  readonly labelling: (scope: {
    readonly context: string
    readonly namespace: string
    readonly environment: string
  }) => TaskEither<Failure, LabellingProxy>
  /** The same cluster as another user. Closing it leaves this one open. */
  readonly as: (account: Account) => Cluster
  readonly close: () => void
}
