/** A login with the browser of this machine (RFC 8252), or with one of another machine (RFC 8628). */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { challengeOf } from '../../domain/platform/login/challenge.ts'
import { authorizePage, codeFrom, loginEnded, secretText } from '../../domain/platform/login/loopback.ts'
import { wordOf } from '../../domain/platform/login/word.ts'
import type { BrowserReturn, PlatformLogin, PlatformSaid } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'
import { deadline } from '../concurrency/deadline.ts'
import { withResource } from '../concurrency/resource.ts'

export type BrowserPorts = Pick<Ports, 'clock' | 'console' | 'machine' | 'platforms' | 'random'>

const browserMs = 300_000

const nameOf = ({ machine }: BrowserPorts): string => `devtool on ${machine.host}`.slice(0, 100)

type Begun = { readonly verifier: string; readonly state: string; readonly back: BrowserReturn }

/** `undefined`: no browser can be opened here. */
const come =
  (
    ports: BrowserPorts,
    { url }: PlatformLogin,
    { back, state, verifier }: Begun,
    signal: AbortSignal,
  ): TE.TaskEither<Diagnostic, string | undefined> =>
  async () => {
    const challenge = challengeOf(verifier)
    const page = authorizePage(url, { challenge, state, redirect: back.redirect, name: nameOf(ports) })
    if (!(await ports.platforms.browse(page)())) return E.right(undefined)
    ports.console.say(`log in with the browser; the page has to show "${wordOf(challenge)}"`)
    ports.console.say(`if no page opens, go to ${page}`)
    const { clear, signal: late } = deadline(ports.clock, browserMs, signal)
    try {
      const answer = await back.answered(late)()
      return answer === undefined ? E.left(loginEnded(signal.aborted)) : codeFrom(answer, state)
    } finally {
      clear()
    }
  }

const here =
  (ports: BrowserPorts) =>
  (login: PlatformLogin, signal: AbortSignal): TE.TaskEither<Diagnostic, string | undefined> => {
    const { platforms, random } = ports
    const [verifier, state] = [secretText(random.bytes(32)), secretText(random.bytes(16))]
    const attend = (back: BrowserReturn) =>
      pipe(
        come(ports, login, { verifier, state, back }, signal),
        TE.flatMap((code) =>
          code === undefined
            ? TE.of(undefined)
            : platforms.send(login, 'exchangeCode', { body: { code, verifier, redirect: back.redirect } }, signal),
        ),
        TE.map((created) => created?.token),
      )
    return withResource(platforms.listen(state), attend, ({ close }) => close)
  }

type Started = PlatformSaid<'startDevice'>

/** Polls at the interval that the platform gives, and less often when the platform asks for that. */
const polling =
  (
    { clock, platforms }: BrowserPorts,
    login: PlatformLogin,
    { deviceCode, interval, seconds }: Started,
    signal: AbortSignal,
  ): TE.TaskEither<Diagnostic, string> =>
  async () => {
    const endMs = clock.now() + seconds * 1000
    let pauseMs = Math.max(1, interval) * 1000
    while (clock.now() < endMs) {
      await clock.sleep(pauseMs, signal)
      if (signal.aborted) break
      const asked = await platforms.send(login, 'finishDevice', { body: { deviceCode } }, signal)()
      if (asked._tag === 'Right') {
        if (asked.right.created !== undefined) return E.right(asked.right.created.token)
      } else if (['DT2110', 'DT6007', 'DT6009'].includes(asked.left.code)) pauseMs += 5000
      else return asked
    }
    return E.left(loginEnded(signal.aborted))
  }

const elsewhere =
  (ports: BrowserPorts) =>
  (login: PlatformLogin, signal: AbortSignal): TE.TaskEither<Diagnostic, string> => {
    const { console: screen, platforms } = ports
    const tell = ({ page, userCode }: Started) =>
      TE.fromIO(() => screen.say(`to log in, open this page in any browser; it must show ${userCode}:\n  ${page}`))
    return pipe(
      platforms.send(login, 'startDevice', { body: { name: nameOf(ports) } }, signal),
      TE.tap(tell),
      TE.flatMap((started) => polling(ports, login, started, signal)),
    )
  }

/** A new token. Fails without a terminal, where nobody would see the instructions: DT6001 and DT6012. */
export const newToken =
  (ports: BrowserPorts) =>
  (login: PlatformLogin, signal: AbortSignal): TE.TaskEither<Diagnostic, string> =>
    ports.console.terminal() === undefined
      ? TE.left(notLoggedIn(login.url))
      : pipe(
          here(ports)(login, signal),
          TE.flatMap((token) => (token === undefined ? elsewhere(ports)(login, signal) : TE.of(token))),
        )

export const notLoggedIn = (url: string): Diagnostic =>
  error('DT6001', `not logged in to ${url}`, {
    help: `log in with \`devtool context use ${url}\` on a terminal, or give an API token: with DEVTOOL_CONTEXT=${url} and DEVTOOL_TOKEN, or \`devtool context use ${url} --token TOKEN\``,
  })
