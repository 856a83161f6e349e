/** Byte streams to and from pods, through the API server. */
import type { Duplex, Readable, Writable } from 'node:stream'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../domain/cluster/failure.ts'
import type { TerminalSize } from './commands.ts'

export type PodName = { readonly namespace: string; readonly name: string }

/**
 * `bytes` ends when the pod closes the port; when the connection breaks it fails, and unread data is lost. `closed`
 * never rejects: it resolves to the failure, or to `undefined` when the pod or the caller closed it.
 */
export type ByteStream = { readonly bytes: Duplex; readonly closed: Promise<Failure | undefined> }

/** `container`: the pod's default container without it. `terminal`: its size; all output is then on stdout. */
export type ExecOptions = {
  readonly command: ReadonlyArray<string>
  readonly container?: string
  readonly hasStdin?: boolean
  readonly terminal?: TerminalSize
}

/**
 * A command in a pod. Both outputs have to be read or `resume()`d, as with a child process: one that is full blocks the
 * other, and the exit. Ending `stdin` ends that of the command.
 */
export type Execution = {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Does nothing without a terminal, and when the command has ended. */
  readonly resize: (size: TerminalSize) => void
  /**
   * The exit status, 128 + n when signal n ended it. Fails with Refused when the command could not be started, and with
   * Unreachable when its exit status is unknown.
   */
  readonly exit: TaskEither<Failure, number>
}

/** Everything that is opened ends when the signal is aborted: it then fails with Aborted. */
export type Pods = {
  /**
   * A connection to a TCP port of the pod. Whether anything listens there is known only later, from `closed`. It cannot
   * be closed in one direction: after `end` the pod can still send, but does not learn that no more data comes. More
   * than a few connections to one pod share links without flow control, so one that is not read can block others.
   */
  readonly dial: (pod: PodName, port: number, signal: AbortSignal) => TaskEither<Failure, ByteStream>
  /** When the connection is lost, the command keeps running without its streams. */
  readonly exec: (pod: PodName, options: ExecOptions, signal: AbortSignal) => TaskEither<Failure, Execution>
}
