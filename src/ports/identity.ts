/** The issuer of identities (OpenID Connect). */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { Identified } from '../domain/platform/admission.ts'

/** The values that the issuer's answer is checked against. `verifier`: of PKCE. */
export type IdentityCheck = { readonly state: string; readonly nonce: string; readonly verifier: string }

export type IdentityIssuer = {
  /** The address to which a browser is sent to log in. Fails with DT6009. */
  readonly address: (check: IdentityCheck) => TaskEither<Diagnostic, string>
  /** `callback`: the address to which the issuer has sent the browser back. Fails with DT6009 and DT6012. */
  readonly identified: (callback: string, check: IdentityCheck) => TaskEither<Diagnostic, Identified>
}
