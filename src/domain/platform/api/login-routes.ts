/** Routes by which a terminal gets its token. The pages shown in the browser meanwhile are not part of the API. */
import * as t from 'io-ts'
import { keys, oneOf } from '../../print/document.ts'
import { CreatedToken } from './answers.ts'
import { route } from './route.ts'
import { Line, Loopback, Sealed, Verifier } from './values.ts'

const path = '/api/v1/login'

const StartedDevice = keys({
  deviceCode: [Sealed, 'what the terminal asks with'],
  userCode: [t.string, 'what the user compares or types'],
  page: [t.string, 'where the user goes with a browser'],
  interval: [t.number, 'how many seconds to wait between two questions'],
  seconds: [t.number, 'how long the codes work'],
})

const DeviceState = keys(
  { status: [oneOf('pending', 'done'), 'whether the user has agreed'] },
  { created: [CreatedToken, 'the token, when the user has agreed'] },
)

export const loginRoutes = {
  exchangeCode: route({
    method: 'POST',
    path: `${path}/code`,
    may: 'anyone',
    about: 'Exchange the code that the browser brought for an API token',
    body: keys({
      code: [Sealed, 'what the browser brought, which works once'],
      verifier: [Verifier, 'the text whose SHA-256 is the challenge of the login'],
      redirect: [Loopback, 'where the browser brought it'],
    }),
    status: 201,
    isRepeatable: true,
    answer: CreatedToken,
  }),
  startDevice: route({
    method: 'POST',
    path: `${path}/device`,
    may: 'anyone',
    about: 'Begin a login that is completed with a browser on another machine',
    body: keys({ name: [Line, 'what the token will be called'] }),
    status: 201,
    answer: StartedDevice,
  }),
  finishDevice: route({
    method: 'POST',
    path: `${path}/device/token`,
    may: 'anyone',
    about: 'Ask whether the user has agreed to a login from another machine',
    body: keys({ deviceCode: [Sealed, 'of the login'] }),
    isRepeatable: true,
    answer: DeviceState,
  }),
  revokeOwn: route({
    method: 'DELETE',
    path: '/api/v1/tokens',
    may: 'user',
    about: 'Revoke all tokens of the caller, and end all sessions in browsers',
  }),
  endSession: route({
    method: 'DELETE',
    path: '/api/v1/session',
    may: 'holder',
    about: 'Revoke the token of this request',
  }),
} as const
