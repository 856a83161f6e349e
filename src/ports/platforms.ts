/** Platforms, by their address, and the parts of a login that involve this machine. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { RouteInput } from '../domain/platform/api/exchange.ts'
import type { AnswerOf } from '../domain/platform/api/route.ts'
import type { RouteId, routes } from '../domain/platform/api/routes.ts'

type Routes = typeof routes

/** Routes that answer with a stream of events. */
type StreamId = {
  [I in RouteId]: Routes[I]['answer'] extends { readonly isStream: true } ? I : never
}[RouteId]
export type PlatformSaid<I extends RouteId> = AnswerOf<Routes[I]>

/** `authority`: the only trusted certificates, as PEM; without them those of the system. */
export type PlatformLogin = {
  readonly url: string
  readonly token?: string | undefined
  readonly authority?: string | undefined
}

/** `fingerprint`: SHA-256, for people. */
export type ServerCertificate = { readonly authority: string; readonly fingerprint: string; readonly subject: string }

/** Waits on 127.0.0.1 for the browser to return. */
export type BrowserReturn = {
  /** The address to which the browser is sent back. */
  readonly redirect: string
  /** The query of that request; `undefined` when the signal was aborted first. */
  readonly answered: (signal: AbortSignal) => Task<ReadonlyMap<string, string> | undefined>
  readonly close: Task<void>
}

/** A failure is the last event. */
export type PlatformEvent =
  | { readonly event: string; readonly data: unknown; readonly failure?: never }
  | { readonly failure: Diagnostic }

export type Platforms = {
  /**
   * Fails with the diagnostics of the platform, with DT2110 when it cannot be reached, and with DT2111 when its
   * certificate is not trusted. Requests that change nothing are retried.
   */
  readonly send: <I extends RouteId>(
    login: PlatformLogin,
    route: I,
    input: RouteInput<Routes[I]>,
    signal: AbortSignal,
  ) => TaskEither<Diagnostic, PlatformSaid<I>>
  /**
   * Each event once, across lost connections. Ends with the event `end`, when the signal is aborted, and with a
   * failure: the platform's error, or DT2110 when it cannot be reached for about half a minute.
   */
  readonly follow: <I extends StreamId>(
    login: PlatformLogin,
    route: I,
    input: Pick<RouteInput<Routes[I]>, 'params'>,
    signal: AbortSignal,
  ) => AsyncIterable<PlatformEvent>
  /** The server's certificate, without trusting it. */
  readonly certificate: (url: string, signal: AbortSignal) => TaskEither<Diagnostic, ServerCertificate>
  /** `state`: that of the login; requests without it are ignored. */
  readonly listen: (state: string) => TaskEither<Diagnostic, BrowserReturn>
  /** Opens a page for the user; false when no browser can be opened here. */
  readonly browse: (url: string) => Task<boolean>
}
