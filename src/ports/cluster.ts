/**
 * One cluster, in the words of its API. Nothing here decides: bodies go as they are, answers come as they were. Idempotent
 * requests are tried again, with growing pauses, while the signal lasts; a write that may have happened is not.
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

/** `version`: where a watch goes on from. */
export type Listing = { readonly items: ReadonlyArray<ClusterObject>; readonly version: string }

/** Part of a list. `next`: what the part after it is asked for with; absent of the last one. */
export type Page = Listing & { readonly next?: string }

/** Whom the server is to take us for, in place of who we are: `system:serviceaccount:NAMESPACE:NAME`, or a user. */
export type Account = { readonly user: string; readonly groups?: ReadonlyArray<string> }

/** `warnings`: what the server said in Warning headers. */
export type AppliedObject = {
  readonly object: ClusterObject
  readonly isNew: boolean
  readonly warnings: ReadonlyArray<string>
}

/** `manager`: the field manager. `isDryRun`: the server does everything but keep it. */
export type WriteOptions = { readonly manager: string; readonly isDryRun?: boolean; readonly signal?: AbortSignal }

/** `force` takes fields that others manage. */
export type ApplyOptions = WriteOptions & { readonly force?: boolean }

export type Propagation = 'Foreground' | 'Background' | 'Orphan'

/** With `uid` and `resourceVersion` it is only that object, as it was read. */
export type RemoveOptions = {
  readonly uid?: string
  readonly resourceVersion?: string
  readonly propagation: Propagation
  readonly isDryRun?: boolean
  readonly signal?: AbortSignal
}

/** `Version`: a bookmark. The stream ends without a word when the server closes it, with `Failed` when it breaks. */
export type WatchEvent =
  | { readonly _tag: 'Seen'; readonly object: ClusterObject }
  | { readonly _tag: 'Removed'; readonly object: ClusterObject }
  | { readonly _tag: 'Version'; readonly version: string }
  | { readonly _tag: 'Failed'; readonly failure: Failure }

/**
 * `tail` counts lines from the end; `sinceSeconds` at least 1; `sinceTime` as `2026-11-21T10:00:00Z`, which the server takes
 * to the second: lines of that very second come, too. Only one of the two.
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

/** `Refused`: nothing listens there. */
export type PortState = 'Open' | 'Refused'

/** What a command created through the labelling proxy. `isForeign`: outside the environment's namespace. */
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

/** `kubeconfig` is the path of a file that leads to the proxy and holds none of the user's credentials. */
export type LabellingProxy = {
  readonly kubeconfig: string
  readonly created: () => ReadonlyArray<Created>
  readonly close: () => Promise<void>
}

export type Cluster = {
  /** The address of the API server. */
  readonly server: string
  /** Who vouches for the server, as the kubeconfig names it: certificates, or the path of a file. */
  readonly authority?: string
  /** What is unsafe about the way to it, to be told before it is used. */
  readonly warnings: ReadonlyArray<Diagnostic>
  /** `undefined` when there is none. */
  readonly get: (key: ObjectKey, signal?: AbortSignal) => TaskEither<Failure, ClusterObject | undefined>
  /** All pages. `isMetadataOnly`: without spec, status and data. */
  readonly list: (
    selection: Selection,
    options?: { readonly isMetadataOnly?: boolean; readonly signal?: AbortSignal },
  ) => TaskEither<Failure, Listing>
  /** At most `limit` items. Fails with Gone when what `next` goes on from is too old. */
  readonly page: (
    selection: Selection,
    options: {
      readonly limit: number
      readonly next?: string
      readonly isMetadataOnly?: boolean
      readonly signal?: AbortSignal
    },
  ) => TaskEither<Failure, Page>
  /** From `version` on, or from a list of its own when there is none. Ends with the signal. Never tries again itself. */
  readonly watch: (
    selection: Selection & { readonly version?: string; readonly isMetadataOnly?: boolean },
    signal: AbortSignal,
  ) => AsyncIterable<WatchEvent>
  /**
   * Server-side apply of the very bytes, `fieldValidation=Strict`. A `uid` in the metadata is only met by that object, a
   * `resourceVersion` only by what was read.
   */
  readonly apply: (key: ObjectKey, body: string, options: ApplyOptions) => TaskEither<Failure, AppliedObject>
  /** POST; `name` in the body. 409 AlreadyExists is a refusal. Also for reviews, whose answer is the object. */
  readonly create: (
    selection: Pick<Selection, 'resource' | 'namespace'>,
    body: JsonObject,
    options: WriteOptions,
  ) => TaskEither<Failure, JsonObject>
  /** PUT: with a `resourceVersion` in the body nothing is lost. */
  readonly replace: (key: ObjectKey, body: JsonObject, options: WriteOptions) => TaskEither<Failure, ClusterObject>
  /** A JSON merge patch of what is there; `uid` and `resourceVersion` as for `apply`. */
  readonly merge: (key: ObjectKey, body: JsonObject, options: WriteOptions) => TaskEither<Failure, ClusterObject>
  /** Absent is no failure. A uid that is not the object's is one. `Going`: the object is still there for a while. */
  readonly remove: (key: ObjectKey, options: RemoveOptions) => TaskEither<Failure, 'Absent' | 'Going'>
  /** Whole lines without their ends. Ends with the container unless the signal comes first; fails as the last item. */
  readonly logs: (
    key: ObjectKey,
    options: LogOptions,
    signal: AbortSignal,
  ) => AsyncIterable<
    { readonly _tag: 'Line'; readonly text: string } | { readonly _tag: 'Failed'; readonly failure: Failure }
  >
  /** Whether something accepts on a TCP port of a pod, through the API server. */
  readonly probePort: (key: ObjectKey, port: number, signal: AbortSignal) => TaskEither<Failure, PortState>
  readonly pods: Pods
  /** Everything that can be listed and deleted, in its preferred version. */
  readonly resources: (signal?: AbortSignal) => TaskEither<Failure, ReadonlyArray<Resource>>
  /** `v1.34.2`. */
  readonly version: (signal?: AbortSignal) => TaskEither<Failure, string>
  /** A proxy for commands: what they create in `namespace` gets the label of the environment. */
  readonly labelling: (scope: {
    readonly namespace: string
    readonly environment: string
  }) => TaskEither<Failure, LabellingProxy>
  /** The same cluster as somebody else, for everything that is asked there. Closing it leaves this one open. */
  readonly as: (account: Account) => Cluster
  readonly close: () => void
}
