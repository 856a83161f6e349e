/** Who may log in, from what the issuer says about them. */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'

/** A person's identity, as stated by the issuer. `isVerified`: whether the issuer has verified the address. */
export type Identified = {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly isVerified: boolean
  readonly groups: ReadonlyArray<string>
}

/** E-mail addresses, their domains, and groups, as configured at installation. */
export type Admission = {
  readonly admins: ReadonlyArray<string>
  readonly domains: ReadonlyArray<string>
  readonly groups: ReadonlyArray<string>
}

const includes = (texts: ReadonlyArray<string>, text: string): boolean =>
  texts.some((one) => one.toLowerCase() === text.toLowerCase())

export const isNamedAdmin = ({ admins }: Pick<Admission, 'admins'>, { email }: Pick<Identified, 'email'>): boolean =>
  includes(admins, email)

const help = 'ask an administrator of the platform to let you in'

/** `undefined` for a person who may log in. An address that the issuer has not verified could belong to anybody. */
export const refusedLogin = (admission: Admission, who: Identified): Diagnostic | undefined => {
  const { email, groups, isVerified } = who
  const [, domain] = /@([^@\s]+)$/.exec(email) ?? []
  if (domain === undefined) return error('DT6012', 'the issuer gives no e-mail address', { help })
  if (!isVerified) return error('DT6012', `the issuer has not verified the address ${email}`, { help })
  const isAdmitted =
    isNamedAdmin(admission, who) ||
    includes(admission.domains, domain) ||
    groups.some((group) => admission.groups.includes(group))
  return isAdmitted ? undefined : error('DT6012', `the address ${email} is not admitted to this platform`, { help })
}
