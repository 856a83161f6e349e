import { Command, Option } from 'clipanion'
import { outputForms } from '../../app/forms.ts'
import type { Outcome } from '../../app/outcome.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import { progresses } from '../flags.ts'
import { usage } from '../mistake.ts'
import { duration, oneOf, reports } from '../options.ts'
import { ProjectCommand } from '../project.ts'

const onlyClient = (dryRun: string | boolean): Checked<true> => {
  if (dryRun === true || dryRun === 'client') return C.ok(true)
  if (dryRun === false || dryRun === 'none') {
    return C.fail(
      error('DT2007', 'this version only prints manifests, it deploys nothing', {
        help: 'add --dry-run, and give what it prints to `kubectl apply -f -`',
      }),
    )
  }
  const message = dryRun === 'server' ? 'this version asks no cluster' : `unknown value "${dryRun}"`
  return C.fail(usage(`--dry-run: ${message}`, 'use --dry-run or --dry-run=client'))
}

export class DeployCommand extends ProjectCommand {
  static override paths = [['deploy']]

  static override usage = Command.Usage({
    category: 'Environment',
    description: 'translate a Compose file to Kubernetes manifests and print them',
    details: `
      Reads the Compose file of this folder and prints what it means on Kubernetes. This version only prints: \`--dry-run\` is needed.

      Services named as arguments are printed with those they depend on; without any, all services of the active profiles.

      Without \`--file\` it looks for devtool.yml, the files of COMPOSE_FILE, devtool-compose.yml, compose.yaml, compose.yml, docker-compose.yml and docker-compose.yaml, in this order, then for the same in .devtool.

      Values of Secrets are left out, a comment names each. A golden file is compared without them, too.

      DEVTOOL_NAME, DEVTOOL_NAMESPACE, DEVTOOL_DOMAIN and DEVTOOL_REGISTRY stand in for the flags of these names. With DEVTOOL_CONFINED=true no file outside the project folder is read.
    `,
    examples: [
      ['Print the manifests of this folder', '$0 deploy --dry-run'],
      ['Apply them', '$0 deploy --dry-run --namespace staging | kubectl apply -f -'],
      ['Two files, one service and what it depends on', '$0 deploy --dry-run -f compose.yaml -f prod.yaml web'],
      ['Compare with a file that is kept beside the source', '$0 deploy --dry-run --name shop --golden shop.yaml'],
      ['Show findings in merge requests of GitLab', '$0 deploy --dry-run --report codequality=gl-code-quality.json'],
    ],
  })

  services = Option.Rest({ name: 'service' })
  dryRun = Option.String('--dry-run', false, {
    tolerateBoolean: true,
    description: 'print and change nothing; --dry-run=client is the same',
  })

  output = Option.String('-o,--output', 'yaml', {
    description: 'yaml, json (one document, findings as JSON lines on stderr) or plan (what is done in which order)',
  })

  showSecrets = Option.Boolean('--show-secrets', false, { description: 'print Secrets with their values' })
  domain = Option.String('--domain', { description: 'domain of public addresses; default localhost' })
  registry = Option.String('--registry', { description: 'registry of the images that are built' })
  ingressClass = Option.String('--ingress-class', { description: 'class of every Ingress' })
  tlsSecret = Option.String('--tls-secret', { description: 'Secret with the certificate of every Ingress' })
  golden = Option.String('--golden', { description: 'compare with this file: prints the difference, status 1' })
  update = Option.Boolean('--update', false, { description: 'write the golden file anew' })
  progress = Option.String('--progress', 'auto', { description: 'auto, tty, plain, json or quiet; default auto' })
  timeout = Option.String('--timeout', '5m0s', { description: 'longest time to wait; nothing is waited for yet' })
  wait = Option.Boolean('--wait', false, { description: 'wait until all is deployed; no effect yet' })
  build = Option.Boolean('--build', false, { description: 'build images anew; no effect yet' })
  dependencies = Option.Boolean('--dependencies', false, { description: 'deploy dependencies anew; no effect yet' })
  noBash = Option.Boolean('--no-bash', false, { description: 'run commands without bash; no effect yet' })
  yes = Option.Boolean('--yes', false, { description: 'answer yes to every question; no effect yet' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  override isQuiet(): boolean {
    return this.progress === 'quiet'
  }

  private goldenOptions(): Checked<{ readonly file: string; readonly isUpdate: boolean } | undefined> {
    if (this.golden === undefined) {
      return this.update ? C.fail(usage('--update needs --golden', 'write --golden FILE --update')) : C.ok(undefined)
    }
    if (this.output === 'yaml') return C.ok({ file: this.golden, isUpdate: this.update })
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

  async useCase(): Promise<Outcome> {
    const options = C.struct({
      output: oneOf('--output', this.output, outputForms),
      progress: oneOf('--progress', this.progress, progresses),
      timeoutMs: duration('--timeout', this.timeout),
      wanted: this.wanted(this.services, this.target()),
      golden: this.goldenOptions(),
      reports: reports('--report', this.report),
      dryRun: onlyClient(this.dryRun),
    })
    return this.given(options, async ({ golden, output, reports: files, wanted }) => {
      if (wanted === undefined) return { findings: [] }
      const { dryRun } = await import('../../app/deploy.ts')
      const { showSecrets } = this
      const { version } = this.context
      return dryRun(await this.context.ports())({
        wanted,
        output: output ?? 'yaml',
        showSecrets,
        golden,
        reports: files ?? [],
        version,
      })
    })
  }
}
