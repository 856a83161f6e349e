/** Logging in with a browser on this machine, which passes a code to the terminal. */
import * as E from 'fp-ts/lib/Either.js'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { encodeBase64 } from '../../text/base64.ts'

/** As base64url without padding: 43 characters of 32 bytes. */
export const secretText = (bytes: Uint8Array): string =>
  encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/**
 * `state`: comes back with the browser, and is unknown to any other page. `name`: the program that asks, as the page
 * shows it.
 */
export type BrowserLogin = {
  readonly challenge: string
  readonly state: string
  readonly redirect: string
  readonly name: string
}

export const authorizePage = (url: string, { challenge, name, redirect, state }: BrowserLogin): string =>
  `${url}/login/authorize?${new URLSearchParams({ challenge, state, redirect, name }).toString()}`

const notCompleted = (why: string): Diagnostic =>
  error('DT6012', `the login was not completed: ${why}`, { help: 'begin again with `devtool login`' })

export const loginEnded = (isInterrupted: boolean): Diagnostic =>
  notCompleted(isInterrupted ? 'it was interrupted' : 'nobody agreed to it in time')

/** The code that the browser passed. Fails with DT6012. */
export const codeFrom = (answer: ReadonlyMap<string, string>, state: string): E.Either<Diagnostic, string> => {
  if (answer.get('state') !== state) return E.left(notCompleted('the browser came back from another login'))
  const code = answer.get('code')
  if (code !== undefined) return E.right(code)
  return E.left(
    notCompleted(answer.get('error') === 'access_denied' ? 'it was refused' : 'the browser brought no code'),
  )
}
