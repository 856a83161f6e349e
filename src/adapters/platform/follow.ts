/** Reads a stream of events of a platform, and resumes it when the connection is lost. */
import * as E from 'fp-ts/lib/Either.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { eventReader, type ReceivedEvent } from '../../domain/platform/api/events.ts'
import { refusalIn, requestFor } from '../../domain/platform/api/exchange.ts'
import { routes } from '../../domain/platform/api/routes.ts'
import { pauseAfter } from '../../domain/time/backoff.ts'
import type { PlatformEvent, Platforms } from '../../ports/platforms.ts'
import { readBody } from '../http/body.ts'
import type { HttpRequest } from '../http/client.ts'
import { linesOf } from '../http/lines.ts'
import { isBusy, type PlatformClientOptions, requestTo, unreachable } from './client.ts'

const LINE_BYTES = 1024 * 1024
const PROBLEM_BYTES = 64 * 1024
const pauses = { firstMs: 300, longestMs: 5000 }
/** Attempts in a row without any event, which takes about half a minute. */
const mostTries = 10

const jsonOf = (text: string): E.Either<unknown, unknown> => E.tryCatch((): unknown => JSON.parse(text), String)

const eventOf = ({ data, event }: ReceivedEvent): ReadonlyArray<PlatformEvent> =>
  E.match(
    () => [],
    (json: unknown) => [{ event, data: json }],
  )(jsonOf(data))

/** `failure`: why it ended, unless it ended normally. */
type Ended = { readonly failure?: Diagnostic; readonly isFinal: boolean }

const cutOff = (url: string): Diagnostic => error('DT2110', `the platform ${url} ended the stream too early`)

export const platformFollow = (options: PlatformClientOptions): Platforms['follow'] =>
  async function* follow(login, id, input, signal) {
    const route = routes[id]
    let last = ''
    let tries = 0

    async function* once(request: HttpRequest): AsyncGenerator<PlatformEvent, Ended, undefined> {
      const opened = await options.client.open(request, signal)()
      if (opened._tag === 'Left') return { failure: unreachable(login.url, opened.left), isFinal: opened.left.isFinal }
      const { right: response } = opened
      const { statusCode: status = 0 } = response
      if (status !== route.status) {
        const body = await readBody(response, PROBLEM_BYTES)()
        response.destroy()
        const text = E.isRight(body) ? body.right.toString() : ''
        return { failure: refusalIn(login.url, status, text), isFinal: !isBusy({ status }) }
      }
      const read = eventReader()
      try {
        for await (const line of linesOf(response, LINE_BYTES, '')) {
          const event = read(line)
          if (event === undefined) continue
          if (event.id !== '') last = event.id
          tries = 0
          yield* eventOf(event)
          if (event.event === 'end') return { isFinal: true }
        }
      } catch {
        // A user can do nothing about a broken connection: it is opened again.
      } finally {
        response.destroy()
      }
      return { failure: cutOff(login.url), isFinal: false }
    }

    while (!signal.aborted) {
      const headers = last === '' ? {} : { headers: { 'last-event-id': last } }
      const request = requestTo(options, login, requestFor(route, { ...input, ...headers }))
      const { failure, isFinal } = yield* once(request)
      if (failure === undefined) return
      tries += 1
      if (signal.aborted) return
      if (isFinal || tries >= mostTries) {
        yield { failure }
        return
      }
      await options.clock.sleep(options.pauseMs ?? pauseAfter(pauses, tries - 1), signal)
    }
  }
