/** What a login hands on sealed, and how long each works. */
import * as t from 'io-ts'

/** `seed`: base64 of what the token is made of, so that a code makes one token only. */
const Code = t.type({
  user: t.string,
  name: t.string,
  challenge: t.string,
  redirect: t.string,
  seed: t.string,
})
const DeviceCode = t.type({ userCode: t.string, name: t.string, seed: t.string })
/** While the issuer has the browser. `next`: the page that it goes on with. */
const Pending = t.type({ state: t.string, nonce: t.string, verifier: t.string, next: t.string })
/** `epoch`: of the user when it began. `until`: when it ends, for people. */
const Session = t.type({ user: t.string, epoch: t.string, until: t.string })

export const sealed = {
  code: { codec: Code, seconds: 60 },
  device: { codec: DeviceCode, seconds: 600 },
  pending: { codec: Pending, seconds: 600 },
  session: { codec: Session, seconds: 8 * 3600 },
} as const

export type SealedKind = keyof typeof sealed
export type SealedOf<K extends SealedKind> = t.TypeOf<(typeof sealed)[K]['codec']>
