/** The query of the page that a terminal opens in a browser to log in. */
import * as t from 'io-ts'
import { Challenge, Line, LoginState, Loopback } from '../api/values.ts'

export const LoginRequest = t.strict({ name: Line, challenge: Challenge, state: LoginState, redirect: Loopback })
export type LoginRequest = t.TypeOf<typeof LoginRequest>
