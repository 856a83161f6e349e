import { Command, Option } from 'clipanion'
import { dataForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import * as C from '../../domain/checked.ts'
import { EnvironmentCommand } from '../cluster.ts'
import { progresses } from '../flags.ts'
import { duration, oneOf } from '../options.ts'

export class DestroyCommand extends EnvironmentCommand {
  static override paths = [['destroy']]

  static override usage = Command.Usage({
    category: 'Environment',
    description: 'take down what deploy made',
    details: `
      Runs the destroy commands of the manifest, then deletes all that the environment of this folder, or that of \`--name\`, has in the namespace: what \`deploy\` or a command of it made, Helm releases among it. No file is needed, and it may be run again at any time.

      Volumes stay unless \`--volumes\` is given. Objects with the annotation \`dev.devtool/policy: keep\` stay always. What commands made outside the namespace is listed with the command that removes it.

      \`--all\` deletes everything in the namespace, whoever made it, but for what Kubernetes makes itself and the rules of the namespace (roles, quotas).
    `,
    examples: [
      ['See what would be deleted', '$0 destroy --dry-run'],
      ['Destroy the environment of this folder and wait until it is gone', '$0 destroy --wait'],
      ['Destroy another one, with its data', '$0 destroy --name shop --volumes'],
    ],
  })

  volumes = Option.Boolean('--volumes', false, { description: 'delete volumes, too: their data is lost' })
  all = Option.Boolean('--all', false, { description: 'delete everything in the namespace' })
  dryRun = Option.Boolean('--dry-run', false, { description: 'change nothing: tell what would be deleted and kept' })
  output = Option.String('-o,--output', 'text', { description: 'text, json or yaml' })
  progress = Option.String('--progress', 'auto', { description: 'auto, tty, plain, json or quiet; default auto' })
  timeout = Option.String('--timeout', '5m0s', { description: 'longest time to wait; default 5m0s' })
  wait = Option.Boolean('--wait', false, { description: 'wait until all of it is gone' })
  breakLock = Option.Boolean('--break-lock', false, { description: 'take the lock of a deploy whose process is gone' })
  noBash = Option.Boolean('--no-bash', false, { description: 'run commands with the shell of the platform' })

  override isJson(): boolean {
    return this.output === 'json' || this.progress === 'json'
  }

  override isQuiet(): boolean {
    return this.progress === 'quiet'
  }

  async useCase(): Promise<Outcome> {
    const options = C.struct({
      output: oneOf('--output', this.output, dataForms),
      progress: oneOf('--progress', this.progress, progresses),
      timeoutMs: duration('--timeout', this.timeout),
      wanted: this.wanted([], {}),
    })
    return this.given(options, async ({ output = 'text', progress, timeoutMs = 0, wanted }) => {
      if (wanted === undefined) return { findings: [] }
      const { all, breakLock, dryRun, noBash, volumes, wait, yes } = this
      const run: Parameters<DestroyCommand['inSession']>[1] = async ({ ports, session, signal }) => {
        const { openProject } = await import('../../app/project/project.ts')
        const { destroyProject } = await import('../../app/destroy/destroy-project.ts')
        return destroyProject(ports)({
          project: openProject(ports)(wanted),
          session,
          options: { withVolumes: volumes, isAll: all },
          isWaiting: wait,
          isYes: yes,
          isDryRun: dryRun,
          breaksLock: breakLock,
          output,
          signal,
          commandWorld: { ...this.commandWorld(), bash: !noBash },
        })
      }
      return this.inSession(dryRun ? 'Read' : 'Change', run, {
        ...(progress === undefined ? {} : { form: progress }),
        timeoutMs,
      })
    })
  }
}
