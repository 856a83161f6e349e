/** A program that a keeper holds, as its client sees it: on the socket of the keeper, or through SSH. */
import { type Duplex, PassThrough, Writable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { Count, fromJson } from '../../domain/object/codecs.ts'
import type { TerminalSize } from '../../ports/commands.ts'
import type { LinkedProgram, LinkFailure } from '../../ports/link.ts'
import { Arguments } from './asked.ts'
import { ProgramExit, statusOf } from './channel.ts'
import { type Frame, frameOf, frameReader, type Kind } from './frames.ts'

/** The subsystem in which the agent passes frames on. */
export const programSubsystem = 'devtool-program'

export const Offsets = t.readonly(t.strict({ output: Count, errors: Count }))
export type Offsets = t.TypeOf<typeof Offsets>

export const Size = t.readonly(t.strict({ columns: t.number, rows: t.number }))
export type Size = t.TypeOf<typeof Size>

/** Where the outputs continue, and the bytes of input that the program has read. */
const Resumption = t.readonly(t.strict({ output: Count, errors: Count, taken: Count }))
type Resumption = t.TypeOf<typeof Resumption>

/**
 * What `run` carries. `command`: words, or a text for the shell. With `received`, the program of this id goes on;
 * otherwise it is started.
 */
export const KeptRequest = t.readonly(
  t.exact(
    t.intersection([
      t.type({ id: t.string, environment: t.readonly(t.record(t.string, t.string)) }),
      t.partial({
        command: t.union([t.string, Arguments]),
        folder: t.string,
        terminal: t.readonly(t.type({ columns: t.number, rows: t.number, type: t.string })),
        received: Offsets,
      }),
    ]),
  ),
)
export type KeptRequest = t.TypeOf<typeof KeptRequest>

/** Input that has not been written yet, before more is sent; and output that has arrived, before that is said. */
const mostUntaken = 64 * 1024
const mostUntold = 32 * 1024

/**
 * `begun`: where the outputs continue, or why there is no such program; `undefined` when the stream ended before.
 * `exit`: once all output has been read; `undefined` when it is unknown. `close` ends the program.
 */
export type Framed = {
  readonly begun: Promise<Resumption | { readonly refused: string } | undefined>
  readonly stdin: Writable
  readonly stdout: PassThrough
  readonly stderr: PassThrough
  readonly resize: (size: TerminalSize) => void
  readonly signal: (name: string) => void
  readonly received: (received: Offsets) => void
  readonly exit: Promise<ProgramExit | undefined>
  readonly close: () => void
  /** To be called when the stream has ended. */
  readonly end: (exit?: ProgramExit) => void
}

const unreadable = { refused: 'the answer of the agent cannot be read' }

const settling = <A>(): { readonly promise: Promise<A>; readonly settle: (value: A) => void } => {
  let settle = (_value: A): void => {}
  const promise = new Promise<A>((resolve) => {
    settle = resolve
  })
  return { promise, settle }
}

export const framed = (stream: Duplex): Framed => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const begun = settling<Resumption | { readonly refused: string } | undefined>()
  const exit = settling<ProgramExit | undefined>()
  const send = (kind: Kind, bytes: Buffer | string = ''): void => {
    // Writing after the end destroys the stream, with what has not arrived.
    if (stream.writable) stream.write(frameOf(kind, bytes))
  }

  let untaken = 0
  let goOn = (): void => {}
  const stdin = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      untaken += chunk.length
      send('stdin', chunk)
      if (untaken < mostUntaken) done()
      else goOn = done
    },
    final: (done) => {
      send('end')
      done()
    },
  })
  stdin.on('error', () => {})
  const took = (bytes: number): void => {
    untaken -= bytes
    if (untaken >= mostUntaken) return
    const waiting = goOn
    goOn = () => {}
    waiting()
  }

  let isOver = false
  const end = (ended?: ProgramExit): void => {
    begun.settle(undefined)
    if (isOver) return
    isOver = true
    stdin.destroy()
    const read = [stdout, stderr].map(
      (one) =>
        new Promise((resolve) => {
          const isUnread = one.readableLength + one.writableLength > 0
          one.once('end', resolve).end()
          if (!isUnread) resolve(undefined)
        }),
    )
    if (ended === undefined) exit.settle(ended)
    else void Promise.all(read).then(() => exit.settle(ended))
  }
  const write = (to: PassThrough, bytes: Buffer): void => {
    if (isOver || to.write(bytes)) return
    stream.pause()
    to.once('drain', () => {
      if (!stdout.writableNeedDrain && !stderr.writableNeedDrain) stream.resume()
    })
  }
  const take = ({ bytes, kind }: Frame): void => {
    if (kind === 'output') write(stdout, bytes)
    else if (kind === 'errors') write(stderr, bytes)
    else if (kind === 'taken') took(Number(bytes.toString()))
    else if (kind === 'from') begun.settle(fromJson(Resumption, bytes.toString()) ?? unreadable)
    else if (kind === 'refused') begun.settle({ refused: bytes.toString() })
    else if (kind === 'exit') {
      send('done')
      end(fromJson(ProgramExit, bytes.toString()))
    }
  }
  const frames = frameReader()
  stream.on('data', (chunk: Buffer) => {
    const found = frames(chunk)
    found?.forEach(take)
    if (found !== undefined) return
    begun.settle(unreadable)
    end({ signal: 'KILL' })
    stream.destroy()
  })

  let told = 0
  return {
    begun: begun.promise,
    stdin,
    stdout,
    stderr,
    resize: (size) => send('resize', JSON.stringify(size)),
    signal: (name) => send('signal', name),
    received: (received) => {
      const all = received.output + received.errors
      if (all - told < mostUntold) return
      told = all
      send('received', JSON.stringify(received))
    },
    exit: exit.promise,
    close: () => {
      send('close')
      stream.end()
    },
    end,
  }
}

/** Once it has begun. `lost`: why the exit is not known; `missing`: why there is no such program. */
export const linked =
  (
    { begun, exit, received, resize, signal, stderr, stdin, stdout }: Framed,
    lost: () => LinkFailure,
    missing = lost,
  ): TaskEither<LinkFailure, LinkedProgram> =>
  async () => {
    const resumption = await begun
    if (resumption === undefined) return E.left(missing())
    if ('refused' in resumption) return E.left({ _tag: 'Refused', reason: resumption.refused })
    const { taken, ...from } = resumption
    const told = exit.then((known) => (known === undefined ? E.left(lost()) : E.right(statusOf(known))))
    return E.right({ stdin, stdout, stderr, resize, signal, received, from, taken, exit: () => told })
  }
