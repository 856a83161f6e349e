/** The issuer of identities (OpenID Connect). */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { Identified } from '../domain/platform/admission.ts'

/** What the answer of the issuer is compared with. `verifier`: of PKCE. */
export type IdentityCheck = { readonly state: string; readonly nonce: string; readonly verifier: string }

export type IdentityIssuer = {
  /** Where a browser is sent to log in. Fails with DT6009. */
  readonly address: (check: IdentityCheck) => TaskEither<Diagnostic, string>
  /** `callback`: the address that the issuer has sent the browser to. Fails with DT6009 and DT6012. */
  readonly identified: (callback: string, check: IdentityCheck) => TaskEither<Diagnostic, Identified>
}
