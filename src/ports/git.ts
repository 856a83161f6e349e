/** Repositories, through the git program of this machine. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** `folder` is absolute. `remove` never fails. */
type Clone = { readonly folder: string; readonly remove: () => Promise<void> }

/**
 * The checked out commit; empty outside of a repository, without a branch on a detached head. `gitFolder` is absolute;
 * `folder`: the path inside the repository, '' at its root. `repository`: the URL of the remote that the branch tracks,
 * else of `origin`, without credentials. `refused`: why git refuses to read the existing repository; one line.
 */
type GitHead = {
  readonly commit?: string
  readonly branch?: string
  readonly gitFolder?: string
  readonly folder?: string
  readonly repository?: string
  readonly refused?: string
}

/** The commit that a clone would check out; empty when the server does not say. */
export type GitTip = Pick<GitHead, 'commit' | 'branch'>

export type Git = {
  readonly head: (folder: string) => Promise<GitHead>
  /** Asks the server about a branch or tag, or the default branch. Never asks for a password. Fails with DT3150. */
  readonly tip: (repository: string, branch: string | undefined, signal: AbortSignal) => TaskEither<Diagnostic, GitTip>
  /** Clones the newest commit of a branch, or of the default branch. Never asks for a password. Fails with DT3150. */
  readonly clone: (repository: string, branch: string | undefined, signal: AbortSignal) => TaskEither<Diagnostic, Clone>
}
