/** Why a build failed, as reported by the builder, before it is turned into findings. */
import type { SourcePart } from './event.ts'

/**
 * Missing: none is named, and there is no other. Unreachable: no builder there, or none we may talk to; `cause` is the
 * system's message. Silent: no sign of life, at the start or during the build. Lost: the connection broke during the
 * build. Failed: the builder reports an error; `exitCode` of the RUN step, `vertex` its digest, `code` that of gRPC.
 * Unusable: a file of the context, a secret or a key that cannot be read or sent, or an option that this builder does
 * not support. NotPushed: built, but the registry did not accept it. NotLoaded: the Docker daemon of this machine,
 * which is not the builder, does not answer or did not accept it.
 */
export type BuildFailure =
  | { readonly _tag: 'Missing'; readonly cause: string; readonly help: string }
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
  | { readonly _tag: 'NotLoaded'; readonly isReached: boolean; readonly cause: string }
  | { readonly _tag: 'Aborted' }
