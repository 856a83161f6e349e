/** Why a build came to nothing, before anybody has put it into words. */
import type { SourcePart } from './event.ts'

/**
 * Unreachable: nobody there, or nobody who may be talked to; `cause` in the words of the system. Silent: no answer to a
 * keepalive ping, or none at all. Lost: the connection broke while it built. Failed: the builder says no; `exitCode` of the
 * RUN step, `vertex` its digest, `code` that of gRPC. Unusable: a file of the context, a secret or a key that cannot be
 * read or sent, or an option that this builder does not know. NotPushed: built, but the registry did not take it.
 */
export type BuildFailure =
  | { readonly _tag: 'Unreachable'; readonly address: string; readonly cause: string; readonly help?: string }
  | { readonly _tag: 'Silent'; readonly address: string; readonly afterMs: number; readonly isAtStart: boolean }
  | { readonly _tag: 'Lost'; readonly address: string; readonly cause: string }
  | {
      readonly _tag: 'Failed'
      readonly message: string
      readonly code: number
      readonly sources: ReadonlyArray<SourcePart>
      readonly exitCode?: number
      readonly vertex?: string
    }
  | { readonly _tag: 'Unusable'; readonly what: string; readonly cause: string; readonly help?: string }
  | { readonly _tag: 'NotPushed'; readonly name: string; readonly message: string }
  | { readonly _tag: 'Aborted' }
