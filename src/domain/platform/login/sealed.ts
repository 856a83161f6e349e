/** The values that a login passes on in sealed form, and how long each is valid. */
import * as t from 'io-ts'

/** `seed`: the token is derived from it (base64), so that a code yields one token only. */
const Code = t.type({
  user: t.string,
  name: t.string,
  challenge: t.string,
  redirect: t.string,
  seed: t.string,
})
const DeviceCode = t.type({ userCode: t.string, name: t.string, seed: t.string })
/** While the browser is at the issuer. `next`: the page that follows. */
const Pending = t.type({ state: t.string, nonce: t.string, verifier: t.string, next: t.string })
/** `epoch`: that of the user when the session began. `until`: when it ends, for people. */
const Session = t.type({ user: t.string, epoch: t.string, until: t.string })

export const sealed = {
  code: { codec: Code, seconds: 60 },
  device: { codec: DeviceCode, seconds: 600 },
  pending: { codec: Pending, seconds: 600 },
  session: { codec: Session, seconds: 8 * 3600 },
} as const

export type SealedKind = keyof typeof sealed
export type SealedOf<K extends SealedKind> = t.TypeOf<(typeof sealed)[K]['codec']>
