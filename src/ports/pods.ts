/** Bytes to and from pods, through the API server. */
import type { Duplex, Readable, Writable } from 'node:stream'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../domain/cluster/failure.ts'
import type { TerminalSize } from './commands.ts'

export type PodName = { readonly namespace: string; readonly name: string }

/**
 * `bytes` fails, and what is still unread is lost, when the connection breaks; it ends when the pod closes the port.
 * `closed` never rejects: it tells the failure, or `undefined` when the pod or whoever dialled closed it.
 */
export type ByteStream = { readonly bytes: Duplex; readonly closed: Promise<Failure | undefined> }

/** `container`: the default one of the pod without it. `terminal`: one of that size, whose output is all stdout. */
export type ExecOptions = {
  readonly command: ReadonlyArray<string>
  readonly container?: string
  readonly hasStdin?: boolean
  readonly terminal?: TerminalSize
}

/**
 * A command in a pod. Both outputs are to be read, or `resume()`d: as of a child process, one that is full holds up the
 * other, and the exit. Ending `stdin` ends that of the command.
 */
export type Execution = {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Harmless without a terminal, and when the command has ended. */
  readonly resize: (size: TerminalSize) => void
  /**
   * The exit status, 128 + n when signal n ended it. Fails with Refused when the command could not be started, and with
   * Unreachable when it is not known how it ended.
   */
  readonly exit: TaskEither<Failure, number>
}

/** What is opened lasts no longer than the signal: it fails with Aborted then. */
export type Pods = {
  /**
   * A connection to a TCP port of the pod. That nothing listens there is known only later: `closed` says so. One
   * direction cannot be closed alone: after `end` the pod still sends, but does not learn that nothing more comes. More
   * than a few to one pod share links, which have no windows: what one of them does not read can hold up others then.
   */
  readonly dial: (pod: PodName, port: number, signal: AbortSignal) => TaskEither<Failure, ByteStream>
  /** A command that loses its connection goes on, without its streams. */
  readonly exec: (pod: PodName, options: ExecOptions, signal: AbortSignal) => TaskEither<Failure, Execution>
}
