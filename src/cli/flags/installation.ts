/** Flags for what a platform is told when it is installed. */
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { PlatformTls } from '../../domain/platform/manifests/installation.ts'
import { defaulted, list, parsed, text } from './flag.ts'
import { usage } from './usage.ts'

const DOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/

const domainName = (flag: string, name: string): Checked<string> =>
  DOMAIN.test(name) && name.length <= 200
    ? C.ok(name)
    : C.fail(usage(`${flag}: "${name}" is not a domain`, 'write it in lower case, like apps.example.com'))

/** Nothing would be logged in to over HTTP but what anybody on the way can read. */
const issuerUrl = (flag: string, url: string): Checked<string> =>
  URL.canParse(url) && new URL(url).protocol === 'https:' && new URL(url).username === ''
    ? C.ok(url)
    : C.fail(usage(`${flag}: "${url}" is not the address of an issuer`, 'write its https address'))

const address = (flag: string, email: string): Checked<string> =>
  /^[^\s@,]+@[^\s@,]+$/.test(email)
    ? C.ok(email)
    : C.fail(usage(`${flag}: "${email}" is not an email address`, `write ${flag} NAME@DOMAIN`))

const tls = (flag: string, given: string): Checked<PlatformTls> => {
  const [form = '', name = ''] = given.split(/=(.*)/s)
  if (given === 'none') return C.ok({ _tag: 'None' })
  if (form === 'secret' && name !== '') return C.ok({ _tag: 'Secret', name })
  if (form === 'issuer' && name !== '') return C.ok({ _tag: 'Issuer', name })
  return C.fail(usage(`${flag}: unknown value "${given}"`, 'use secret=NAME, issuer=NAME or none'))
}

export const installationFlags = {
  domain: parsed(
    '--domain',
    { value: 'DOMAIN', about: 'domain of all namespaces; the platform is at devtool.DOMAIN' },
    domainName,
  ),
  issuer: parsed('--oidc-issuer', { value: 'URL', about: 'OpenID Connect issuer that users log in at' }, issuerUrl),
  client: text('--oidc-client', { value: 'ID', about: 'id of the client that is registered there' }),
  secret: text('--oidc-secret', {
    value: 'FILE',
    offers: 'files',
    about: 'file with the secret of the client, or - for standard input; default: that of the installation',
  }),
  admins: list('--admin', { value: 'EMAIL', about: 'administrator of the platform; may be repeated' }, (flag, emails) =>
    C.each((email: string) => address(flag, email))(emails),
  ),
  allowed: list(
    '--allow-domain',
    { value: 'DOMAIN', about: 'users with an email address there may log in; may be repeated' },
    (flag, names) => C.each((name: string) => domainName(flag, name))(names),
  ),
  tls: defaulted(
    '--tls',
    {
      value: 'FORM',
      about: 'secret=NAME: certificate in a Secret; issuer=NAME: cert-manager; none: served elsewhere; default none',
    },
    'none',
    tls,
  ),
  image: text('--image', { value: 'IMAGE', about: 'image of the programs of the platform' }),
}
