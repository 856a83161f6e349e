import type { InstallRequest } from '../../app/install/request.ts'
import * as C from '../../domain/checked.ts'
import { defined, ifDefined } from '../../domain/object/defined.ts'
import { builderImageOf } from '../../domain/platform/manifests/builder.ts'
import { STDIN } from '../../domain/text/source.ts'
import { checked, command } from '../command.ts'
import { contextFlags, yes } from '../flags/cluster.ts'
import { flag, type Values } from '../flags/flag.ts'
import { installationDiff, installationFlags } from '../flags/installation.ts'
import { progress } from '../flags/output.ts'
import { timeout } from '../flags/run.ts'
import { targetFlags } from '../flags/target.ts'
import { usage } from '../flags/usage.ts'
import { imageNamed, platformImage, platformImageThere } from '../platform-image.ts'
import { inPlatform } from '../platform-target.ts'
import { viewed } from '../view/view.ts'

const { ingressClass, registry } = targetFlags('')

const flags = {
  ...installationFlags,
  ingressClass,
  registry,
  ...contextFlags,
  yes,
  diff: installationDiff,
  dryRun: flag('--dry-run', 'change nothing: print the manifests, without Secrets'),
  timeout,
  progress,
}

const needed = (name: string, given: string | undefined): C.Checked<string> =>
  given === undefined ? C.fail(usage(`${name} is missing`, 'see `devtool help platform install`')) : C.ok(given)

/** With plain HTTP, the issuer's answers could be read and changed in transit. */
const secure =
  (isInsecure: boolean) =>
  (issuer: string): C.Checked<string> =>
    isInsecure || issuer.startsWith('https:')
      ? C.ok(issuer)
      : C.fail(usage(`--oidc-issuer: ${issuer} is not reached by HTTPS`, 'use --insecure-issuer for a trial'))

type Told = InstallRequest['installation']

const installationOf = (given: Values<typeof flags>): C.Checked<Told> => {
  const {
    admins,
    allowed,
    builder: mode,
    builderImage,
    groups,
    ingressClass: ofIngress,
    kubernetes,
    maxRuns,
    previewTtl,
    proxies,
    registry: images,
    releases,
    sleepAfter,
    tls,
  } = given
  const isInsecureIssuer = given.insecureIssuer
  const named = C.struct({
    domain: needed('--domain', given.domain),
    issuer: C.andThen(secure(isInsecureIssuer))(needed('--oidc-issuer', given.issuer)),
    client: needed('--oidc-client', given.client),
    admin: needed('--admin', admins[0]),
  })
  return C.map(({ client = '', domain = '', issuer = '' }: C.ValueIn<typeof named>) => ({
    ...{ client, domain, issuer, admins, proxies, tls, isInsecureIssuer },
    allowedDomains: allowed,
    allowedGroups: groups,
    ...defined({
      builder: mode === 'none' ? undefined : { mode, image: builderImage ?? builderImageOf(mode) },
      registry: images,
      sleepAfterSeconds: sleepAfter === 0 ? undefined : sleepAfter,
      previewSeconds: previewTtl,
      maxRuns,
      releases,
      ingressClass: ofIngress,
      kubernetes: ifDefined(kubernetes, (server) => ({ server })),
    }),
  }))(named)
}

export const platformInstall = command({
  name: 'platform install',
  group: 'Platform',
  about: 'install the platform in a cluster, or upgrade it to this version',
  details: `
    Installs the platform that gives a team namespaces in a cluster: its accounts and roles, the admission policies that keep them inside the platform's namespaces, and its programs, which run in the namespace \`devtool-system\` as the environment \`platform\`. The image of the programs is built from the files of devtool and pushed to \`--registry\`, unless \`--image\` names one. Run it again at any time: existing objects are changed to what the flags say. \`--dry-run\` prints all of it for those who apply it themselves; \`--diff\` shows what would change in the cluster, with the image that the registry has for this version, and ends with status 1 if anything would.

    It needs an administrator of the cluster and Kubernetes 1.30 or later. Admission policies apply to the whole cluster, so they are tried before they stay: a Service, a pod and an Ingress are created in a namespace that is not the platform's, with and without them. If one is refused because of them, everything is as it was before, and nothing else is installed.

    Users log in at an issuer of OpenID Connect: register a client there with the redirect address \`https://devtool.DOMAIN/oidc/callback\`.
  `,
  examples: [
    [
      'Print what would be installed',
      '$0 platform install --dry-run --domain apps.example.com --oidc-issuer https://login.example.com --oidc-client devtool --admin ann@example.com --registry registry.example.com/team',
    ],
    [
      'Install it',
      '$0 platform install --domain apps.example.com --oidc-issuer https://login.example.com --oidc-client devtool --oidc-secret secret.txt --admin ann@example.com --registry registry.example.com/team',
    ],
  ],
  words: {},
  sections: {
    platform: [
      ...(['domain', 'issuer', 'insecureIssuer', 'client', 'secret', 'admins', 'allowed', 'groups', 'tls'] as const),
      ...(['ingressClass', 'proxies', 'kubernetes', 'registry', 'image', 'builder', 'builderImage'] as const),
      ...(['sleepAfter', 'previewTtl', 'maxRuns', 'releases'] as const),
    ],
  },
  flags,
  run: (given, call) =>
    checked(installationOf(given), async (installation) => {
      if (given.dryRun) {
        await call.sayUnused(
          ['secret', 'context', 'kubeconfig', 'yes', 'diff', 'timeout', 'progress'],
          'with --dry-run',
        )
        const { printInstallation } = await import('../../domain/platform/manifests/print.ts')
        const named = imageNamed(installation.registry, call.version, given.image)
        return checked(named, async (image) => ({
          findings: [],
          output: printInstallation({ ...installation, image }),
        }))
      }
      return inPlatform(call, given, given.diff ? 'Read' : 'Change', async ({ ports, signal, target }) => {
        const secretFile = given.secret === '-' ? STDIN : given.secret
        const building = { call, context: given.context, ports, signal }
        const asked = { target, installation, signal, interrupted: call.interruption(), ...defined({ secretFile }) }
        if (given.diff) {
          const { previewInstall } = await import('../../app/install/preview.ts')
          const { showDiff } = await import('../view/platform.ts')
          const imageFor = platformImageThere(building, given.image)
          return viewed(await previewInstall(ports)({ ...asked, imageFor }, 'devtool platform install'), showDiff)
        }
        const { install } = await import('../../app/install/install.ts')
        const { showInstalled } = await import('../view/platform.ts')
        const imageFor = platformImage(building, given.image)
        return viewed(await install(ports)({ ...asked, imageFor }), showInstalled)
      })
    }),
})
