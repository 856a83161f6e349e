import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Target } from '../../app/context/target.ts'
import type { DeployProject } from '../../app/deploy/deploy-project.ts'
import type { PlatformDefaults } from '../../app/namespaces/deploy-variables.ts'
import type { ProjectOptions } from '../../app/project/choose.ts'
import * as C from '../../domain/checked.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Ports } from '../../ports/ports.ts'
import { type CommandCall, checked, command } from '../command.ts'
import { clusterFlags, reachOf, yes } from '../flags/cluster.ts'
import { flag, rest, type Values } from '../flags/flag.ts'
import { dataForms, type outputForms } from '../flags/forms.ts'
import { reproducible } from '../flags/image.ts'
import { type ProgressForm, progress, report } from '../flags/output.ts'
import { type DeployMode, goldenOf, modeOf, previewFlags, printedOf, secretsOf } from '../flags/preview.ts'
import { hostFiles, projectFlags, wantedOf } from '../flags/project.ts'
import { oneOf } from '../flags/read.ts'
import { breakLock, mask, noBash, rerunJobs, takeOver, timeout, waitForLock } from '../flags/run.ts'
import { targetFlags } from '../flags/target.ts'
import type { Outcome } from '../outcome.ts'
import { projectOf } from '../project.ts'
import { commandWorld, inTarget } from '../target.ts'
import { viewed } from '../view/view.ts'

const words = { services: rest('service', { offers: 'services' }) }

const targets = targetFlags(
  'domain of public addresses; default: that of the context or of the last deploy, else localhost',
)

const flags = {
  ...projectFlags,
  ...clusterFlags,
  ...targets,
  hostFiles,
  yes,
  ...previewFlags,
  report,
  progress,
  timeout,
  atomic: flag('--atomic', 'if it fails, go back to the last deployment that ended well; waits like --wait'),
  failFast: flag('--fail-fast', 'end at the first restart of a container, not at the third'),
  wait: flag('--wait', 'wait until everything is available'),
  rerunJobs,
  force: flag('--force-conflicts', 'take over fields that others manage'),
  waitForLock,
  breakLock,
  takeOver,
  build: flag('--build', 'build all images, even those that the registry has'),
  reproducible,
  dependencies: flag('--dependencies', 'deploy dependencies again; asks before it replaces another branch or commit'),
  mask,
  noBash,
}

type DeployFlags = Values<typeof flags & typeof words>
/** Flags that only affect a real deploy, and not a preview. */
const unusedInLook = [
  'yes',
  'wait',
  'atomic',
  'failFast',
  'waitForLock',
  'breakLock',
  'takeOver',
  'build',
  'dependencies',
  'mask',
  'noBash',
] as const

/** Flags without effect in each mode. */
const unusedIn = {
  Client: [
    'kubeconfig',
    'yes',
    'timeout',
    'wait',
    'atomic',
    'failFast',
    'rerunJobs',
    'force',
    'waitForLock',
    'breakLock',
    'takeOver',
    'build',
    'reproducible',
    'dependencies',
    'mask',
    'noBash',
    'progress',
  ],
  Server: unusedInLook,
  Diff: unusedInLook,
  Apply: [],
} as const satisfies Readonly<Record<DeployMode, ReadonlyArray<keyof DeployFlags>>>

/** These flags affect findings as well. */
const hidesText = (form: ProgressForm): boolean => form === 'json' || form === 'quiet'

const flagOf = { Client: '--dry-run', Server: '--dry-run=server', Diff: '--diff', Apply: '' } as const

const sayUnused = (given: DeployFlags, call: CommandCall, mode: DeployMode): Promise<void> => {
  const isUsed = (key: keyof DeployFlags): boolean =>
    (key === 'kubeconfig' && given.context !== undefined) || (key === 'progress' && hidesText(given.progress))
  const keys = unusedIn[mode].filter((key) => !isUsed(key))
  return call.sayUnused(keys, `with ${flagOf[mode]}`)
}

const optionsOf = (given: DeployFlags, call: CommandCall) => {
  const mode = modeOf(given)
  const isClient = C.valueOf(mode) === 'Client'
  const { domain, hostFiles: host, ingressClass, registry, tlsSecret } = given
  const overrides = defined({ domain, hostFiles: host, ingressClass, registry, tlsSecret })
  return C.struct({
    mode,
    printed: isClient ? printedOf(given.output ?? 'yaml') : C.ok(undefined),
    output: isClient ? C.ok(undefined) : oneOf('--output', given.output ?? 'text', dataForms),
    wanted: wantedOf(call, given, given.services, overrides),
    golden: goldenOf(given, C.valueOf(mode)),
    showSecrets: secretsOf(given, C.valueOf(mode)),
  })
}

type Options = C.ValueIn<ReturnType<typeof optionsOf>>

/** A dry run uses the settings of a context only when one is named. */
const placed =
  (
    given: DeployFlags,
    call: CommandCall,
    ports: Ports,
    wanted: ProjectOptions,
  ): TaskEither<Diagnostic, ProjectOptions> =>
  async () => {
    if (given.context === undefined) return E.right(wanted)
    const { locate } = await import('../../app/context/locate.ts')
    const located = await locate(ports)(reachOf(given), call.env)()
    if (located._tag === 'Left') return located
    const { namespace, platform, settings } = located.right
    const ofContext = {
      ...wanted,
      settings: { ...wanted.settings, ...(namespace === '' ? {} : { namespace }) },
      defaults: settings,
    }
    if (platform === undefined || namespace === '') return E.right(ofContext)
    const { platformDefaults } = await import('../../app/namespaces/deploy-variables.ts')
    const told = await platformDefaults(ports)(platform, namespace, call.interruption())()
    return E.map(({ defaults, variables }: PlatformDefaults) => ({
      ...ofContext,
      defaults: { ...defaults, ...settings },
      platform: variables,
    }))(told)
  }

const print = async (
  given: DeployFlags,
  call: CommandCall,
  { golden, printed = { form: 'yaml' }, showSecrets = false, wanted }: Options,
): Promise<Outcome> => {
  if (wanted === undefined) return { findings: [] }
  const ports = await call.ports()
  const located = await placed(given, call, ports, wanted)()
  if (located._tag === 'Left') return { findings: [located.left] }
  const { dryRun } = await import('../../app/project/dry-run.ts')
  const { report: reports } = given
  const { form = 'yaml', into }: { readonly form?: (typeof outputForms)[number]; readonly into?: string } = printed
  const withOrigins = form === 'plan'
  const run = { wanted: located.right, withOrigins, showSecrets, golden, into, reports, version: call.version }
  const folders = async () => (await import('../../app/project/manifest-folders.ts')).manifestFolders
  const done = await dryRun(ports, folders)(run)
  if (form === 'json') {
    const { showPlanDocument } = await import('../view/plan-document.ts')
    return viewed(done, (planned) => showPlanDocument(planned, showSecrets))
  }
  const { showDryRun } = await import('../view/dry-run.ts')
  return viewed(done, (planned) => showDryRun(form, planned, showSecrets))
}

const deployIn = async (
  given: DeployFlags,
  call: CommandCall,
  { output = 'text', wanted }: Options,
  mode: DeployProject['mode'],
): Promise<Outcome> => {
  if (wanted === undefined) return { findings: [] }
  const use = mode === 'Apply' ? 'Create' : 'Read'
  const choice = {
    reach: reachOf(given),
    hasProject: true,
    use,
    wakes: mode === 'Apply',
    form: given.progress,
    timeoutMs: given.timeout,
    isSound: (ports: Ports) => (target: Pick<Target, 'namespace' | 'settings'>) => async () => {
      const { validProject } = await import('../../app/deploy/valid.ts')
      return validProject({ project: await projectOf(call, ports, wanted), target })()
    },
  } as const
  return inTarget(call, choice, async ({ ports, target, signal }) => {
    const { deployProject } = await import('../../app/deploy/deploy-project.ts')
    const { showDeployed } = await import('../view/deploy.ts')
    const deployed = await deployProject(ports)({
      project: await projectOf(call, ports, { ...wanted, platform: target.variables }),
      target,
      mode,
      reports: given.report,
      version: call.version,
      isWaiting: given.wait || given.atomic,
      isAtomic: given.atomic,
      failsFast: given.failFast,
      interrupted: call.interruption(),
      jobs: given.rerunJobs,
      force: given.force,
      buildsAll: given.build,
      isReproducible: given.reproducible,
      isYes: given.yes,
      breaksLock: given.breakLock,
      lockWaitMs: given.waitForLock,
      takesOver: given.takeOver,
      signal,
      commandWorld: { ...commandWorld(call, given), bash: !given.noBash, again: given.dependencies },
    })
    return viewed(deployed, (value) => showDeployed(output, value, mode === 'Diff'))
  })
}

export const deploy = command({
  name: 'deploy',
  group: 'Environment',
  about: 'deploy a Compose file or devtool.yml to Kubernetes',
  details: `
    Reads the Compose file or manifest of this folder and applies what is new or changed, in the order given by \`depends_on\`. Objects that are no longer in the file are deleted. Objects that belong to others are never touched. With \`--wait\`, it waits until everything is available; with \`--atomic\`, a deploy that fails goes back to the last deployment that ended well, or deletes what it created if it is the first, except volumes.

    An environment belongs to the repository and folder it was deployed from: from elsewhere, a deploy under the same name is refused unless most of its services are the same, or \`--name\` or \`--take-over\` says that it is meant.

    If services are named as arguments, they are deployed with the services they depend on, and nothing is deleted.

    \`--dry-run\` prints the manifests without contacting a cluster; \`--dry-run=server\` has the API server validate them and shows what would be done; \`--diff\` shows what would change and exits with status 1 if anything would.

    Without \`--file\`, it looks for devtool.yml, the files in COMPOSE_FILE, devtool-compose.yml, compose.yaml, compose.yml, docker-compose.yml and docker-compose.yaml, in this order, then for the same in .devtool, then for a Helm chart or Kubernetes manifests.

    Domain, ingress class and TLS secret are those of the last deploy of the environment unless a flag, a variable or the context sets them; an empty value (\`--domain ''\`) forgets them. A dry run without a cluster does not know the last deploy.

    A dry run leaves out Secrets and prints a comment for each of them; golden files never contain Secrets.

    \`--host-files=config\` makes ConfigMaps of files of the project that services mount: of files, and of folders that are mounted read-only. Keys, credentials and what git ignores are left out.

    DEVTOOL_NAME, DEVTOOL_CONTEXT, DEVTOOL_NAMESPACE, DEVTOOL_DOMAIN, DEVTOOL_REGISTRY and DEVTOOL_HOST_FILES are used when the flags of these names are not given. With DEVTOOL_CONFINED=true, no file outside the project folder is read.
  `,
  examples: [
    ['Deploy this folder and wait until everything is available', '$0 deploy --wait'],
    ['See what would change', '$0 deploy --diff'],
    ['Print the manifests', '$0 deploy --dry-run'],
    ['Two files, one service and what it depends on', '$0 deploy -f compose.yaml -f prod.yaml web'],
    ['Compare with a golden file', '$0 deploy --dry-run --name shop --golden shop.yaml'],
    ['Show findings in GitLab merge requests', '$0 deploy --dry-run --report codequality=gl-code-quality.json'],
  ],
  words,
  sections: {
    behaviour: ['wait', 'atomic', 'failFast', 'timeout', 'yes', 'rerunJobs', 'force', 'dependencies', 'takeOver'],
  },
  flags,
  run: (given, call) =>
    checked(optionsOf(given, call), async (options) => {
      const { mode = 'Client' } = options
      await sayUnused(given, call, mode)
      return mode === 'Client' ? print(given, call, options) : deployIn(given, call, options, mode)
    }),
})
