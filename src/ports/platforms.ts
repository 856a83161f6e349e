/** Platforms, by their address, and what a login at one needs from this machine. */
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

/** `authority`: the only certificates that are trusted, as PEM; without them those of the system. */
export type PlatformLogin = {
  readonly url: string
  readonly token?: string | undefined
  readonly authority?: string | undefined
}

/** `fingerprint`: SHA-256, for people. */
export type ServerCertificate = { readonly authority: string; readonly fingerprint: string; readonly subject: string }

/** Waits on 127.0.0.1 for the browser to come back. */
export type BrowserReturn = {
  /** Where the browser is to be sent. */
  readonly redirect: string
  /** What came with it; `undefined` when the signal came first. */
  readonly answered: (signal: AbortSignal) => Task<ReadonlyMap<string, string> | undefined>
  readonly close: Task<void>
}

/** A failure is the last one. */
export type PlatformEvent =
  | { readonly event: string; readonly data: unknown; readonly failure?: never }
  | { readonly failure: Diagnostic }

export type Platforms = {
  /**
   * Fails with the diagnostics of the platform, with DT2110 when it cannot be reached, and with DT2111 when its
   * certificate is not trusted. What changes nothing is tried again.
   */
  readonly send: <I extends RouteId>(
    login: PlatformLogin,
    route: I,
    input: RouteInput<Routes[I]>,
    signal: AbortSignal,
  ) => TaskEither<Diagnostic, PlatformSaid<I>>
  /**
   * Each event once, across lost connections. Ends with the event `end`, with the signal, and with a failure: what the
   * platform says, or DT2110 when it cannot be reached for about half a minute.
   */
  readonly follow: <I extends StreamId>(
    login: PlatformLogin,
    route: I,
    input: Pick<RouteInput<Routes[I]>, 'params'>,
    signal: AbortSignal,
  ) => AsyncIterable<PlatformEvent>
  /** What the server shows, without any trust in it. */
  readonly certificate: (url: string, signal: AbortSignal) => TaskEither<Diagnostic, ServerCertificate>
  /** `state`: of the login; requests without it do not count. */
  readonly listen: (state: string) => TaskEither<Diagnostic, BrowserReturn>
  /** Opens a page for the user; false when there is no browser here. */
  readonly browse: (url: string) => Task<boolean>
}
