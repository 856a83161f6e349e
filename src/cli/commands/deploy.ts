import { Command, Option } from 'clipanion'
import * as E from 'fp-ts/lib/Either.js'
import type { DeployProject } from '../../app/deploy/deploy-project.ts'
import { dataForms, outputForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import type { Wanted } from '../../app/project/choose.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import { EnvironmentCommand } from '../cluster.ts'
import { progresses } from '../flags.ts'
import { usage } from '../mistake.ts'
import { duration, oneOf, reports } from '../options.ts'

/** Client: no cluster is asked. Server: it is asked, and keeps nothing. */
type Mode = 'Client' | DeployProject['mode']

const modeOf = (dryRun: string | boolean, diff: boolean): Checked<Mode> => {
  const isNone = dryRun === false || dryRun === 'none'
  if (diff) return isNone ? C.ok('Diff') : C.fail(usage('--diff and --dry-run are two things', 'leave out one of them'))
  if (isNone) return C.ok('Apply')
  if (dryRun === true || dryRun === 'client') return C.ok('Client')
  if (dryRun === 'server') return C.ok('Server')
  return C.fail(
    usage(`--dry-run: unknown value "${dryRun}"`, 'use --dry-run=client, --dry-run=server or --dry-run=none'),
  )
}

export class DeployCommand extends EnvironmentCommand {
  static override paths = [['deploy']]

  static override usage = Command.Usage({
    category: 'Environment',
    description: 'deploy what a Compose file or devtool.yml describes to Kubernetes',
    details: `
      Reads the Compose file or manifest of this folder and makes the namespace so: applies what is new or changed, waits as \`depends_on\` says, takes away what the file no longer has. What belongs to others is never touched. \`--wait\` waits until all of it is available.

      Services named as arguments are deployed with those they depend on; nothing is taken away then.

      \`--dry-run\` prints the manifests and asks no cluster; \`--dry-run=server\` lets the API server check them and tells what would be done; \`--diff\` shows what would change, status 1 when something would.

      Without \`--file\` it looks for devtool.yml, the files of COMPOSE_FILE, devtool-compose.yml, compose.yaml, compose.yml, docker-compose.yml and docker-compose.yaml, in this order, then for the same in .devtool, then for a Helm chart or Kubernetes manifests.

      In a dry run values of Secrets are left out, a comment names each. A golden file is compared without them, too.

      DEVTOOL_NAME, DEVTOOL_CONTEXT, DEVTOOL_NAMESPACE, DEVTOOL_DOMAIN and DEVTOOL_REGISTRY stand in for the flags of these names. With DEVTOOL_CONFINED=true no file outside the project folder is read.
    `,
    examples: [
      ['Deploy this folder and wait until all is available', '$0 deploy --wait'],
      ['See what would change', '$0 deploy --diff'],
      ['Print the manifests', '$0 deploy --dry-run'],
      ['Two files, one service and what it depends on', '$0 deploy -f compose.yaml -f prod.yaml web'],
      ['Compare with a file that is kept beside the source', '$0 deploy --dry-run --name shop --golden shop.yaml'],
      ['Show findings in merge requests of GitLab', '$0 deploy --dry-run --report codequality=gl-code-quality.json'],
    ],
  })

  services = Option.Rest({ name: 'service' })
  dryRun = Option.String('--dry-run', false, {
    tolerateBoolean: true,
    description: 'change nothing: client (also without a value) prints manifests, server tells what would be done',
  })

  diff = Option.Boolean('--diff', false, {
    description: 'change nothing: show what would change, status 1 if anything',
  })
  output = Option.String('-o,--output', {
    description: 'text, json or yaml; with --dry-run yaml (default), json (one document) or plan (what is done when)',
  })

  showSecrets = Option.Boolean('--show-secrets', false, {
    description: 'with --dry-run: print Secrets with their values',
  })
  domain = Option.String('--domain', {
    description: 'domain of public addresses; default: of the context, or localhost',
  })
  registry = Option.String('--registry', { description: 'registry of the images that are built' })
  ingressClass = Option.String('--ingress-class', { description: 'class of every Ingress' })
  tlsSecret = Option.String('--tls-secret', { description: 'Secret with the certificate of every Ingress' })
  golden = Option.String('--golden', { description: 'with --dry-run: compare with this file, status 1 if it differs' })
  update = Option.Boolean('--update', false, { description: 'write the golden file anew' })
  progress = Option.String('--progress', 'auto', { description: 'auto, tty, plain, json or quiet; default auto' })
  timeout = Option.String('--timeout', '5m0s', { description: 'longest time to wait; default 5m0s' })
  wait = Option.Boolean('--wait', false, { description: 'wait until everything is available' })
  rerunJobs = Option.Boolean('--rerun-jobs', false, { description: 'run Jobs again that have run already' })
  force = Option.Boolean('--force-conflicts', false, { description: 'take fields that others manage' })
  breakLock = Option.Boolean('--break-lock', false, { description: 'take the lock of a deploy whose process is gone' })
  build = Option.Boolean('--build', false, { description: 'build all images, also those that the registry has' })
  dependencies = Option.Boolean('--dependencies', false, { description: 'deploy dependencies anew' })
  noBash = Option.Boolean('--no-bash', false, { description: 'run commands with the shell of the platform' })

  override isJson(): boolean {
    return this.output === 'json' || this.progress === 'json'
  }

  override isQuiet(): boolean {
    return this.progress === 'quiet'
  }

  private goldenOptions(mode: Mode | undefined) {
    if (this.golden === undefined) {
      return this.update ? C.fail(usage('--update needs --golden', 'write --golden FILE --update')) : C.ok(undefined)
    }
    if (mode !== 'Client') return C.fail(usage('--golden needs --dry-run', 'write --dry-run --golden FILE'))
    if (this.output === undefined || this.output === 'yaml') return C.ok({ file: this.golden, isUpdate: this.update })
    return C.fail(usage(`--golden compares YAML, not ${this.output}`, 'leave out --output'))
  }

  private target() {
    const { domain, ingressClass, registry, tlsSecret } = this
    return {
      ...(domain === undefined ? {} : { domain }),
      ...(ingressClass === undefined ? {} : { ingressClass }),
      ...(registry === undefined ? {} : { registry }),
      ...(tlsSecret === undefined ? {} : { tlsSecret }),
    }
  }

  private options() {
    const mode = modeOf(this.dryRun, this.diff)
    const isClient = C.valueOf(mode) === 'Client'
    return C.struct({
      mode,
      printed: isClient ? oneOf('--output', this.output ?? 'yaml', outputForms) : C.ok(undefined),
      output: isClient ? C.ok(undefined) : oneOf('--output', this.output ?? 'text', dataForms),
      progress: oneOf('--progress', this.progress, progresses),
      timeoutMs: duration('--timeout', this.timeout),
      wanted: this.wanted(this.services, this.target()),
      golden: this.goldenOptions(C.valueOf(mode)),
      reports: reports('--report', this.report),
    })
  }

  /** A dry run looks at a context only when one is named. */
  private async placed(ports: Ports, wanted: Wanted): Promise<E.Either<Diagnostic, Wanted>> {
    if (this.contextName === undefined) return E.right(wanted)
    const { locate } = await import('../../app/context/locate.ts')
    const located = await locate(ports)(this.reach(), this.context.env)
    if (E.isLeft(located)) return located
    const { namespace, settings } = located.right
    return E.right({ ...wanted, settings: { ...wanted.settings, namespace }, defaults: settings })
  }

  private async printed({ golden, printed, reports: files = [], wanted }: Options): Promise<Outcome> {
    if (wanted === undefined) return { findings: [] }
    const ports = await this.context.ports()
    const placed = await this.placed(ports, wanted)
    if (placed._tag === 'Left') return { findings: [placed.left] }
    const { dryRun } = await import('../../app/project/dry-run.ts')
    const { showSecrets } = this
    const { version } = this.context
    const output = printed ?? 'yaml'
    return dryRun(ports)({ wanted: placed.right, output, showSecrets, golden, reports: files, version })
  }

  private async deployed(given: Options, mode: DeployProject['mode']): Promise<Outcome> {
    const { output = 'text', progress, reports: files = [], timeoutMs = 0, wanted } = given
    if (wanted === undefined) return { findings: [] }
    const { breakLock, build, dependencies, force, noBash, rerunJobs, wait } = this
    const use = mode === 'Apply' ? 'Change' : 'Read'
    return this.inSession(
      use,
      async ({ ports, session, signal }) => {
        const { openProject } = await import('../../app/project/project.ts')
        const { deployProject } = await import('../../app/deploy/deploy-project.ts')
        return deployProject(ports)({
          project: openProject(ports)(wanted),
          session,
          mode,
          output,
          reports: files,
          version: this.context.version,
          isWaiting: wait,
          rerunsJobs: rerunJobs,
          force,
          buildsAll: build,
          breaksLock: breakLock,
          signal,
          commandWorld: { ...this.commandWorld(), bash: !noBash, again: dependencies },
        })
      },
      { ...(progress === undefined ? {} : { form: progress }), timeoutMs },
    )
  }

  async useCase(): Promise<Outcome> {
    return this.given(this.options(), (given) => {
      const { mode = 'Client' } = given
      return mode === 'Client' ? this.printed(given) : this.deployed(given, mode)
    })
  }
}

type Options = C.ValueIn<ReturnType<DeployCommand['options']>>
