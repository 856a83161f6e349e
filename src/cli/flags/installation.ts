/** Flags with the settings of a platform installation. */
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { PlatformTls } from '../../domain/platform/manifests/installation.ts'
import { isReleaseUrl } from '../../domain/platform/releases.ts'
import { isIp, isIpv6 } from '../../domain/text/ip.ts'
import { choice, defaulted, list, flag as onOff, parsed, text } from './flag.ts'
import { duration } from './read.ts'
import { usage } from './usage.ts'

const DOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/

const domainName = (flag: string, name: string): Checked<string> =>
  DOMAIN.test(name) && name.length <= 200
    ? C.ok(name)
    : C.fail(usage(`${flag}: "${name}" is not a domain`, 'write it in lower case, like apps.example.com'))

const issuerUrl = (flag: string, url: string): Checked<string> =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && new URL(url).username === ''
    ? C.ok(url)
    : C.fail(usage(`${flag}: "${url}" is not the address of an issuer`, 'write its https address'))

const serverUrl = (flag: string, url: string): Checked<string> =>
  URL.canParse(url) && new URL(url).protocol === 'https:' && new URL(url).username === ''
    ? C.ok(url.replace(/\/$/, ''))
    : C.fail(usage(`${flag}: "${url}" is not the address of an API server`, 'write its https address'))

const releaseUrl = (flag: string, url: string): Checked<string> => {
  const bare = url.replace(/\/$/, '')
  const wrong = usage(`${flag}: "${url}" is not the address of a release`, 'write the https address of its folder')
  return isReleaseUrl(bare) ? C.ok(bare) : C.fail(wrong)
}

/** Group names are passed on separated by commas. */
const groupName = (flag: string, name: string): Checked<string> =>
  /^[^\s,][^,]*$/.test(name)
    ? C.ok(name)
    : C.fail(usage(`${flag}: "${name}" is not the name of a group`, 'leave out the comma'))

const addressBlock = (flag: string, block: string): Checked<string> => {
  const [ip = '', bits = ''] = block.split('/')
  const isBlock = isIp(ip) && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIpv6(ip) ? 128 : 32)
  return isBlock && block === `${ip}/${bits}`
    ? C.ok(block)
    : C.fail(usage(`${flag}: "${block}" is not a block of addresses`, 'write it like 10.0.0.0/16'))
}

const address = (flag: string, email: string): Checked<string> =>
  /^[^\s@,]+@[^\s@,]+$/.test(email)
    ? C.ok(email)
    : C.fail(usage(`${flag}: "${email}" is not an email address`, `write ${flag} NAME@DOMAIN`))

const tls = (flag: string, given: string): Checked<PlatformTls> => {
  const [form = '', name = ''] = given.split(/=(.*)/s)
  if (given === 'none') return C.ok({ _tag: 'None' })
  if (given === 'self-signed') return C.ok({ _tag: 'SelfSigned' })
  if (form === 'secret' && name !== '') return C.ok({ _tag: 'Secret', name })
  if (form === 'issuer' && name !== '') return C.ok({ _tag: 'Issuer', name })
  return C.fail(usage(`${flag}: unknown value "${given}"`, 'use secret=NAME, issuer=NAME, self-signed or none'))
}

const seconds = (flag: string, given: string): Checked<number> =>
  C.map((ms: number) => Math.ceil(ms / 1000))(duration(flag, given))

const runs = (flag: string, given: string): Checked<number> =>
  /^[1-9]\d{0,3}$/.test(given)
    ? C.ok(Number(given))
    : C.fail(usage(`${flag}: "${given}" is not a number of runs`, 'write one from 1 to 9999'))

const builderForms = ['rootless', 'privileged', 'none'] as const

export const installationFlags = {
  domain: parsed(
    '--domain',
    { value: 'DOMAIN', about: 'domain of all namespaces; the platform is at devtool.DOMAIN' },
    domainName,
  ),
  issuer: parsed('--oidc-issuer', { value: 'URL', about: 'OpenID Connect issuer that users log in at' }, issuerUrl),
  insecureIssuer: onOff(
    '--insecure-issuer',
    'allow an issuer with plain HTTP, where anybody on the network path can log in as anybody: for trials only',
  ),
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
  groups: list(
    '--allow-group',
    { value: 'GROUP', about: 'users in this group, according to the issuer, may log in; may be repeated' },
    (flag, names) => C.each((name: string) => groupName(flag, name))(names),
  ),
  kubernetes: parsed(
    '--kubernetes-url',
    { value: 'URL', about: 'where users reach the API server of the cluster; default: as the kubeconfig does' },
    serverUrl,
  ),
  proxies: list(
    '--trusted-proxy',
    { value: 'CIDR', about: 'addresses of proxies whose X-Forwarded-For is trusted; may be repeated' },
    (flag, blocks) => C.each((block: string) => addressBlock(flag, block))(blocks),
  ),
  tls: defaulted(
    '--tls',
    {
      value: 'FORM',
      about:
        'secret=NAME: certificate in a Secret; issuer=NAME: ClusterIssuer of cert-manager; self-signed: by an authority of its own; none: a proxy in front terminates TLS; default self-signed',
    },
    'self-signed',
    tls,
  ),
  builder: choice(
    '--builder',
    {
      value: 'FORM',
      about: 'build service: rootless; privileged, for nodes without user namespaces; or none; default rootless',
    },
    builderForms,
    'rootless',
  ),
  builderImage: text('--builder-image', {
    value: 'IMAGE',
    about: 'image of BuildKit for the build service; default moby/buildkit of Docker Hub',
  }),
  sleepAfter: parsed(
    '--sleep-after',
    { value: 'DURATION', about: 'let namespaces sleep that nobody has used for so long; default: never' },
    seconds,
  ),
  previewTtl: parsed(
    '--preview-ttl',
    { value: 'DURATION', about: 'destroy previews that are not deployed again for so long; 0: never; default 7d' },
    seconds,
  ),
  maxRuns: parsed(
    '--max-runs',
    { value: 'N', about: 'how many runs of all namespaces may be under way at a time; default 50' },
    runs,
  ),
  releases: parsed(
    '--release-url',
    { value: 'URL', about: 'address of your release of devtool: the web interface says how to install it from there' },
    releaseUrl,
  ),
  image: text('--image', { value: 'IMAGE', about: 'image of the programs of the platform' }),
}

export const installationDiff = onOff(
  '--diff',
  'change nothing: show what would change, with status 1 if anything would',
)
