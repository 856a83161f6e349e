/** A connection to the agent of a development container: programs and ports over one byte stream. */
import type { Duplex, Readable, Writable } from 'node:stream'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { LinkKeys, SessionKeys } from '../domain/dev/keys.ts'
import type { TerminalSize } from './commands.ts'
import type { Execution } from './pods.ts'

/** Lost: the connection broke. Refused: the agent refused the request. */
export type LinkFailure = { readonly _tag: 'Lost' | 'Refused'; readonly reason: string }

/** Bytes of each output; with a terminal everything comes on the first. */
export type Received = { readonly output: number; readonly errors: number }

/**
 * `command`: words are run directly, a text by the shell of the container; without it the shell itself. `folder`: that
 * of the container without it. `session` names a program that outlives the connection for a minute; with `received`,
 * the output that has arrived, that program is resumed instead of a new one started.
 */
export type LinkProgram = {
  readonly command?: string | ReadonlyArray<string>
  readonly folder?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly terminal?: TerminalSize & { readonly type: string }
  readonly session?: { readonly id: string; readonly received?: Received }
}

/**
 * `from`: where the outputs resume, later than `received` when the agent no longer has what a terminal showed in
 * between. `taken`: bytes of input that the program had read before.
 */
export type LinkedProgram = {
  readonly from: Received
  readonly taken: number
  readonly stdin: Writable
  /** Both have to be read. */
  readonly stdout: Readable
  readonly stderr: Readable
  readonly resize: (size: TerminalSize) => void
  /** Its name without SIG. */
  readonly signal: (name: string) => void
  /** To be told how much has arrived: a named program without a terminal waits when it is far ahead. */
  readonly received: (received: Received) => void
  /** 128 + n when signal n ended it. Fails when the connection is lost before. */
  readonly exit: TaskEither<LinkFailure, number>
}

type LinkAddress = { readonly host: string; readonly port: number }

export type Link = {
  /** Also fails with Refused when the program to resume ended too long ago. */
  readonly run: (program: LinkProgram) => TaskEither<LinkFailure, LinkedProgram>
  /** Connects the local stream to this address, seen from the pod. Both directions end on their own. */
  readonly forward: (local: Duplex, to: LinkAddress) => TaskEither<LinkFailure, void>
  /** An SSH subsystem of the agent, by name. It ends with the link. */
  readonly subsystem: (name: string) => TaskEither<LinkFailure, Duplex>
  /**
   * Listens in the pod until the link ends, and connects each connection to a local stream of its own, or refuses it
   * when there is none. Right: the port.
   */
  readonly listen: (on: LinkAddress, open: TaskEither<unknown, Duplex>) => TaskEither<LinkFailure, number>
  /** Why the link ended; `undefined` when it was closed here. */
  readonly closed: Task<string | undefined>
  /** Ends its programs as well, which a dead connection may never confirm. */
  readonly close: () => void
  /** As if it were lost: named programs go on. */
  readonly drop: () => void
}

export type Links = {
  readonly newKeys: Task<SessionKeys>
  /** An id for a program that outlives its connection. */
  readonly newId: Task<string>
  /**
   * Fails unless the agent has the expected key and accepts ours within `limitMs`. Closes the stream when it fails.
   * `keepAliveMs`: how often a quiet agent is asked for a sign of life while its link is used.
   */
  readonly connect: (
    bytes: Duplex | Pick<Execution, 'stdin' | 'stdout'>,
    keys: LinkKeys,
    limitMs: number,
    keepAliveMs?: number,
  ) => TaskEither<LinkFailure, Link>
}
