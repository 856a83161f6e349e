/** The port `Pods` in memory: tests define what listens and what runs in pods. */
import { setMaxListeners } from 'node:events'
import { Duplex, PassThrough, type Readable, type Writable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { type ApiRequest, type Failure, failureDiagnostic } from '../../src/domain/cluster/failure.ts'
import { resources, showKey } from '../../src/domain/cluster/resources.ts'
import type { TerminalSize } from '../../src/ports/commands.ts'
import type { ByteStream, ExecOptions, Execution, PodName, Pods } from '../../src/ports/pods.ts'

/** The pod's end of a connection. */
type Server = (stream: Duplex) => void

/** A running command in the pod. `sizes`: of its terminal, as they change. `undefined`: there is no such program. */
export type MemoryProcess = {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly size: () => TerminalSize | undefined
  readonly onResize: (listener: () => void) => void
}
type Program = (command: ReadonlyArray<string>, process: MemoryProcess) => Promise<number | undefined>

export type MemoryPods = {
  /** `pod` is `NAMESPACE/NAME`. Other ports refuse connections. */
  readonly serve: (pod: string, port: number, server: Server) => void
  readonly runs: (pod: string, program: Program) => void
  /** Breaks all connections to the pod. */
  readonly cut: (pod: string, cause: string) => void
}

type Open = { readonly pod: string; readonly fail: (failure: Failure) => void; readonly asked: ApiRequest }

const idOf = ({ name, namespace }: PodName): string => `${namespace}/${name}`

const askedOf = (verb: string, { name, namespace }: PodName): ApiRequest => ({
  verb,
  what: showKey({ resource: resources.Pod, name }),
  namespace,
})

/** The two ends of a connection. The pod's end does not learn that no more data comes. */
const pipeOf = () => {
  const [up, down] = [new PassThrough(), new PassThrough()]
  const near = new Duplex({
    allowHalfOpen: false,
    read: () => void down.resume(),
    write: (chunk: Buffer, _encoding, done) => {
      if (up.destroyed || up.write(chunk)) done()
      else up.once('drain', done)
    },
    destroy: (cause, done) => {
      up.destroy()
      done(cause)
    },
  })
  near.on('error', () => {})
  down.on('data', (chunk: Buffer) => {
    if (!near.push(chunk)) down.pause()
  })
  down.pause()
  down.once('end', () => near.push(null))
  return { near, far: Duplex.from({ readable: up, writable: down }), down }
}

/** `refusal`: why the pod accepts no connections at all. */
export const memoryPods = (
  server: string,
  refusal: (pod: PodName, asked: ApiRequest) => Failure | undefined,
): { readonly pods: Pods; readonly control: MemoryPods } => {
  const servers = new Map<string, Server>()
  const programs = new Map<string, Program>()
  const open = new Set<Open>()

  const lasting = (pod: PodName, asked: ApiRequest, signal: AbortSignal, onFailure: (failure: Failure) => void) => {
    const one: Open = { pod: idOf(pod), asked, fail: onFailure }
    open.add(one)
    setMaxListeners(0, signal)
    const abort = (): void => one.fail({ _tag: 'Aborted', asked })
    signal.addEventListener('abort', abort, { once: true })
    return () => {
      open.delete(one)
      signal.removeEventListener('abort', abort)
    }
  }

  const connection = (pod: PodName, port: number, asked: ApiRequest, signal: AbortSignal): ByteStream => {
    const { far, near } = pipeOf()
    const serve = servers.get(`${idOf(pod)}:${port}`)
    const closed = new Promise<Failure | undefined>((resolve) => {
      const fail = (failure: Failure): void => {
        near.destroy(new Error(failureDiagnostic(failure).message))
        far.on('error', () => {}).destroy()
        resolve(failure)
      }
      const leave = lasting(pod, asked, signal, fail)
      near.once('end', () => resolve(undefined))
      near.once('close', () => {
        leave()
        far.on('error', () => {}).destroy()
        resolve(undefined)
      })
      const message = `connection refused on port ${port}`
      if (serve !== undefined) serve(far)
      else queueMicrotask(() => fail({ _tag: 'Refused', asked, status: 0, reason: 'PortForward', message, causes: [] }))
    })
    return { bytes: near, closed }
  }

  const execution = (pod: PodName, options: ExecOptions, asked: ApiRequest, signal: AbortSignal): Execution => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
    let size = options.terminal
    const listeners = new Set<() => void>()
    const program = programs.get(idOf(pod))
    const ended = new Promise<E.Either<Failure, number>>((resolve) => {
      const fail = (failure: Failure): void => {
        for (const stream of [stdin, stdout, stderr]) stream.destroy(new Error(failureDiagnostic(failure).message))
        resolve(E.left(failure))
      }
      const leave = lasting(pod, asked, signal, fail)
      const run = async (): Promise<void> => {
        const process: MemoryProcess = {
          stdin,
          stdout,
          stderr: options.terminal === undefined ? stderr : stdout,
          size: () => size,
          onResize: (listener) => void listeners.add(listener),
        }
        const status = await program?.(options.command, process)
        leave()
        stdout.end()
        stderr.end()
        stdin.destroy()
        const message = `executable file not found: ${options.command[0] ?? ''}`
        if (status === undefined) {
          resolve(E.left({ _tag: 'Refused', asked, status: 0, reason: 'InternalError', message, causes: [] }))
        } else resolve(E.right(status))
      }
      void run()
    })
    const resize = (next: TerminalSize): void => {
      size = next
      for (const listener of listeners) listener()
    }
    return { stdin, stdout, stderr, resize, exit: () => ended }
  }

  const opening =
    <A>(pod: PodName, asked: ApiRequest, signal: AbortSignal, make: () => A) =>
    async (): Promise<E.Either<Failure, A>> => {
      await Promise.resolve()
      if (signal.aborted) return E.left({ _tag: 'Aborted', asked })
      const failure = refusal(pod, asked)
      return failure === undefined ? E.right(make()) : E.left(failure)
    }

  return {
    pods: {
      dial: (pod, port, signal) => {
        const asked = askedOf('forward ports of', pod)
        return opening(pod, asked, signal, () => connection(pod, port, asked, signal))
      },
      exec: (pod, options, signal) => {
        const asked = askedOf('run a command in', pod)
        return opening(pod, asked, signal, () => execution(pod, options, asked, signal))
      },
    },
    control: {
      serve: (pod, port, serve) => void servers.set(`${pod}:${port}`, serve),
      runs: (pod, program) => void programs.set(pod, program),
      cut: (pod, cause) => {
        for (const { asked, fail, pod: of } of [...open]) {
          if (of === pod) fail({ _tag: 'Unreachable', asked, server, cause, mayHaveHappened: true })
        }
      },
    },
  }
}
