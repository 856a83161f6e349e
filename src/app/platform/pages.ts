/** The pages by which people log in: they show which program asks, and pass on the terminal's code. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { isOfNow, type PlatformUser } from '../../domain/platform/account.ts'
import type { Identified } from '../../domain/platform/admission.ts'
import { causeOf, problemOf } from '../../domain/platform/api/problem.ts'
import { codePage, consentPage, loggedOutPage, messagePage } from '../../domain/platform/login/page.ts'
import { type PageAnswer, type PageId, type PageRequest, pages } from '../../domain/platform/login/page-routes.ts'
import { LoginRequest } from '../../domain/platform/login/request.ts'
import { type SealedOf, sealed } from '../../domain/platform/login/sealed.ts'
import { readUserCode, showUserCode } from '../../domain/platform/login/user-code.ts'
import { wordOf } from '../../domain/platform/login/word.ts'
import { userIdOf } from '../../domain/platform/names.ts'
import { encodeBase64 } from '../../domain/text/base64.ts'
import { clientNetwork } from '../../domain/text/ip.ts'
import { sentence } from '../../domain/text/sentence.ts'
import type { IdentityCheck } from '../../ports/identity.ts'
import { activeUser, entering } from './accounts.ts'
import { decide } from './approvals.ts'
import { secondsFrom } from './issuing.ts'
import { limiter } from './limiter.ts'
import { codeKeyOf, newSeed } from './login.ts'
import { openAs, sealAs } from './sealing.ts'
import type { PlatformWorld } from './world.ts'

type Fields = PageRequest['fields']
type PageTask = TE.TaskEither<Diagnostic, PageAnswer>

const rate = { perSecond: 2, burst: 20 }

const shown = (html: string, more: Partial<PageAnswer> = {}): PageAnswer => ({ status: 200, html, ...more })
const redirected = (location: string, more: Partial<PageAnswer> = {}): PageAnswer => ({
  status: 303,
  html: '',
  location,
  ...more,
})

const sentences = (texts: ReadonlyArray<string>): string =>
  texts
    .filter((text) => text !== '')
    .map((text) => `${sentence(text)}.`)
    .join(' ')

const failurePage = (failure: Diagnostic): PageAnswer => {
  const { code, detail = '', status, title } = problemOf(failure)
  return {
    status,
    code,
    cause: causeOf(failure),
    html: messagePage('This did not work', `${sentences([title, detail])} (${code})`),
  }
}

const badRequest = error('DT6005', 'the address of this page is not complete', {
  help: 'begin the login again in your terminal',
})
const lost = error('DT6012', 'the login took too long, or your browser sends no cookies', {
  help: 'begin the login again',
})
const noSession = error('DT6012', 'you are not logged in any more', { help: 'begin the login again' })
const tooMany = error('DT6007', 'too many requests', { help: 'try again in a minute' })

const done = (title: string): PageAnswer => shown(messagePage(title, 'You can close this page.'))

const withQuery = (url: string, fields: Fields): string => `${url}?${new URLSearchParams(fields).toString()}`

const sessionEnd = (wallMs: number): string => secondsFrom(wallMs, sealed.session.seconds)

/** After a login, only a page of this platform may follow: browsers read `//` and `/\\` as the beginning of a host. */
const ownPath = (next: string): string => (/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next) ? next : '/')

export const answeringPages = (world: PlatformWorld) => {
  const { clock, identity, random } = world
  const isFromAddress = limiter(rate, clock)

  const secret = (): string => encodeBase64(random.bytes(33)).replaceAll('+', '-').replaceAll('/', '_')

  /** Redirects to the issuer, and back to this page afterwards. */
  const toIssuer = (next: string): PageTask => {
    const check: IdentityCheck = { state: secret(), nonce: secret(), verifier: secret() }
    return pipe(
      identity.address(check),
      TE.bindTo('location'),
      TE.bind('pending', () => TE.fromTask(sealAs(world, 'pending', { ...check, next }))),
      TE.map(({ location, pending }) => redirected(location, { pending })),
    )
  }

  const userOf = ({ session }: PageRequest): TE.TaskEither<Diagnostic, PlatformUser | undefined> =>
    pipe(
      TE.fromTask(openAs(world, 'session', session)),
      TE.flatMap((open) =>
        open === undefined
          ? TE.right(undefined)
          : pipe(
              activeUser(world, open.user),
              TE.map((user) => (user !== undefined && isOfNow(user, open) ? user : undefined)),
            ),
      ),
    )

  const withUser =
    (request: PageRequest, otherwise: () => PageTask) =>
    (use: (user: PlatformUser) => PageTask): PageTask =>
      pipe(
        userOf(request),
        TE.flatMap((user) =>
          user === undefined
            ? otherwise()
            : pipe(
                use(user),
                TE.map((answer) => ({ ...answer, user: user.id })),
              ),
        ),
      )

  const loginIn = ({ fields }: PageRequest): TE.TaskEither<Diagnostic, LoginRequest> =>
    pipe(
      TE.fromEither(LoginRequest.decode(fields)),
      TE.mapLeft(() => badRequest),
    )

  /** Redirects to the login when a page that only displays something has no session. */
  const loggedIn = (request: PageRequest) => withUser(request, () => toIssuer(request.path))
  /** Without a session, no decision is accepted. */
  const stillLoggedIn = (request: PageRequest) => withUser(request, () => TE.left(noSession))

  const authorize = (request: PageRequest): PageTask =>
    pipe(
      loginIn(request),
      TE.flatMap((login) =>
        loggedIn(request)(({ email }) =>
          TE.right(
            shown(
              consentPage({
                asking: login.name,
                email,
                word: wordOf(login.challenge),
                action: pages.consent.path,
                fields: { ...login },
              }),
              { target: new URL(login.redirect).origin },
            ),
          ),
        ),
      ),
    )

  const consent = (request: PageRequest): PageTask =>
    pipe(
      loginIn(request),
      TE.flatMap(({ challenge, name, redirect, state }) =>
        stillLoggedIn(request)((user) => {
          if (request.fields['decision'] !== 'allow') {
            return TE.right(redirected(withQuery(redirect, { error: 'access_denied', state })))
          }
          const seed = newSeed(world)
          return pipe(
            decide(world, codeKeyOf(seed), user, { isAllowed: true, seconds: sealed.code.seconds }),
            TE.flatMap(() => TE.fromTask(sealAs(world, 'code', { user: user.id, name, challenge, redirect, seed }))),
            TE.map((code) => redirected(withQuery(redirect, { code, state }))),
          )
        }),
      ),
    )

  const device = (request: PageRequest): PageTask =>
    loggedIn(request)(({ email }) => {
      const typed = request.fields['code']
      const code = typed === undefined ? undefined : readUserCode(typed)
      if (code === undefined) return TE.right(shown(codePage(email, typed?.slice(0, 20))))
      const word = showUserCode(code)
      const action = pages.decide.path
      return TE.right(shown(consentPage({ asking: 'another machine', email, word, action, fields: { code: word } })))
    })

  const decideDevice = (request: PageRequest): PageTask =>
    stillLoggedIn(request)((user) => {
      const code = readUserCode(request.fields['code'] ?? '')
      if (code === undefined) return TE.left(badRequest)
      const isAllowed = request.fields['decision'] === 'allow'
      return pipe(
        decide(world, code, user, { isAllowed, seconds: sealed.device.seconds }),
        TE.map(() => done(isAllowed ? 'devtool is logged in' : 'The login was refused')),
      )
    })

  const enter = (pending: SealedOf<'pending'>, who: Identified): PageTask =>
    pipe(
      entering(world, who),
      TE.flatMap(({ epoch, id }) =>
        TE.fromTask(sealAs(world, 'session', { user: id, epoch, until: sessionEnd(clock.wallMs()) })),
      ),
      TE.match(failurePage, (session) => redirected(pending.next, { session, pending: '' })),
      // Also for a user who was refused.
      T.map((answer) => ({ ...answer, user: userIdOf(who.issuer, who.subject) })),
      TE.fromTask,
    )

  const callback = (request: PageRequest): PageTask =>
    pipe(
      TE.fromTask(openAs(world, 'pending', request.pending)),
      TE.flatMap((pending) => (pending === undefined ? TE.left(lost) : TE.right(pending))),
      TE.bindTo('pending'),
      TE.bind('who', ({ pending }) => identity.identified(world.settings.url + request.path, pending)),
      TE.flatMap(({ pending, who }) => enter(pending, who)),
    )

  /** Logs in to the pages of the platform. */
  const start = (request: PageRequest): PageTask => {
    const next = ownPath(request.fields['next'] ?? '/')
    return withUser(request, () => toIssuer(next))(() => TE.right(redirected(next)))
  }

  const handlers: Readonly<Record<PageId, (request: PageRequest) => PageTask>> = {
    start,
    authorize,
    consent,
    device,
    decide: decideDevice,
    callback,
    logout: () => TE.right({ ...shown(loggedOutPage), session: '' }),
  }

  return (request: PageRequest): T.Task<PageAnswer> =>
    pipe(
      isFromAddress(clientNetwork(request.address)) ? handlers[request.page](request) : TE.left(tooMany),
      TE.match(failurePage, (answer) => answer),
    )
}
