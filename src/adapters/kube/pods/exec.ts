/** Commands in pods: a channel for each stream, for the exit status, and for the size of the terminal. */
import { Readable, Writable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ApiRequest, type Failure, failureDiagnostic } from '../../../domain/cluster/failure.ts'
import { listAt, textAt } from '../../../domain/cluster/json.ts'
import { pathOf } from '../../../domain/cluster/resources.ts'
import type { ExecOptions, Execution, Pods } from '../../../ports/pods.ts'
import type { WebSocketLink } from '../../websocket/link.ts'
import { readObject } from '../api/answer.ts'
import { askedFor } from '../api/paths.ts'
import { channelMessages, readChannel } from './channels.ts'
import { endingOf, openChannels, type PodApi, podKey } from './open.ts'

const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const
const canCloseStdin = 'v5.channel.k8s.io'
const protocols = [canCloseStdin, 'v4.channel.k8s.io']

const queryOf = ({ command, container, hasStdin = false, terminal }: ExecOptions): string =>
  new URLSearchParams([
    ...command.map((word) => ['command', word] as [string, string]),
    ...(container === undefined ? [] : [['container', container] as [string, string]]),
    ['stdin', String(hasStdin)],
    ['stdout', 'true'],
    ['stderr', String(terminal === undefined)],
    ['tty', String(terminal !== undefined)],
  ]).toString()

/** The status channel has a Status, whose cause ExitCode is the exit status of a command that ran. */
const exitOf = (asked: ApiRequest, text: string): E.Either<Failure, number> => {
  const status = readObject(text)
  if (textAt(status, 'status') === 'Success') return E.right(0)
  const code = listAt(status, 'details', 'causes').find((cause) => textAt(cause, 'reason') === 'ExitCode')
  const exit = Number(textAt(code, 'message') ?? Number.NaN)
  if (textAt(status, 'reason') === 'NonZeroExitCode' && Number.isInteger(exit)) return E.right(exit)
  const message = textAt(status, 'message') ?? text.trim()
  return E.left({ _tag: 'Refused', asked, status: 0, reason: textAt(status, 'reason') ?? '', message, causes: [] })
}

/** `ending`: the failure of a link that ended without a status. */
type FailureTexts = { readonly asked: ApiRequest; readonly ending: (reason: string | undefined) => Failure }

/** Both outputs share a link: it is read while both have room. */
const outputs = (link: WebSocketLink) => {
  const full = new Set<Readable>()
  const output = (): Readable => {
    const stream = new Readable({
      read: () => {
        full.delete(stream)
        if (full.size === 0) link.resume()
      },
      destroy: (cause, done) => {
        // Nobody will read it, so it must not block the other output.
        full.delete(stream)
        if (full.size === 0) link.resume()
        done(cause)
      },
    })
    stream.on('error', () => {})
    return stream
  }
  const [stdout, stderr] = [output(), output()]
  const push = (stream: Readable, bytes: Buffer): boolean => {
    if (!stream.destroyed && !stream.push(bytes)) full.add(stream)
    return full.size === 0
  }
  return { stdout, stderr, push }
}

const executionOf = (link: WebSocketLink, hasStdin: boolean, { asked, ending }: FailureTexts): Execution => {
  let exit: E.Either<Failure, number> | undefined
  const { push, stderr, stdout } = outputs(link)
  const write = (bytes: Buffer, done: Parameters<WebSocketLink['send']>[1]): void =>
    link.send(channelMessages(channels.stdin, bytes), done)
  const stdin = new Writable({
    write: (chunk: Buffer, _encoding, done) => write(chunk, done),
    writev: (chunks, done) => write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done),
    final: (done) => {
      if (!hasStdin) return done()
      if (link.protocol === canCloseStdin) return link.send([Buffer.from([channels.close, channels.stdin])], done)
      // Otherwise the command would wait forever.
      const message = `this API server cannot close the standard input of a command (${link.protocol})`
      exit ??= E.left({ _tag: 'Refused', asked, status: 0, reason: 'NoHalfClose', message, causes: [] })
      link.close()
      done()
    },
  })
  stdin.on('error', () => {})
  const take = (message: Buffer): boolean => {
    const { bytes, channel } = readChannel(message) ?? { channel: undefined, bytes: message }
    if (channel === channels.stdout) return push(stdout, bytes)
    if (channel === channels.stderr) return push(stderr, bytes)
    if (channel === channels.status && bytes.length > 0) exit ??= exitOf(asked, bytes.toString('utf8'))
    return true
  }
  const ended: ReturnType<Execution['exit']> = new Promise((resolve) => {
    const end = (reason: string | undefined): void => {
      const how = exit ?? E.left(ending(reason))
      const isCut = exit === undefined
      for (const stream of [stdout, stderr]) {
        if (isCut && E.isLeft(how)) stream.destroy(new Error(failureDiagnostic(how.left).message))
        else stream.push(null)
      }
      stdin.destroy()
      resolve(how)
    }
    link.listen({ take, end })
  })
  return {
    stdin,
    stdout,
    stderr,
    resize: ({ columns, rows }) =>
      link.send(
        channelMessages(channels.resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows }))),
        () => {},
      ),
    exit: () => ended,
  }
}

export const executing =
  (api: PodApi): Pods['exec'] =>
  (pod, options, signal) => {
    const key = podKey(pod)
    const asked = askedFor('run a command in', key)
    const path = `${pathOf(key)}/exec?${queryOf(options)}`
    const ending = (reason = 'the connection ended without a status'): Failure =>
      endingOf(api, asked, reason, signal) ?? { _tag: 'Aborted', asked }
    return pipe(
      openChannels(api, { asked, path, protocols }, signal),
      TE.map((link) => {
        const execution = executionOf(link, options.hasStdin === true, { asked, ending })
        if (options.terminal !== undefined) execution.resize(options.terminal)
        return execution
      }),
    )
  }
