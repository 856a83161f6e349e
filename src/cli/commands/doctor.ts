import { arch, platform, release } from 'node:os'
import { Command, Option } from 'clipanion'
import { dataForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import { oneOf } from '../options.ts'
import { SeenCommand } from '../seen.ts'

export class DoctorCommand extends SeenCommand {
  static override paths = [['doctor']]

  static override usage = Command.Usage({
    category: 'Environment',
    description: 'write a report for those who help, or check the cluster',
    details: `
      Writes devtool-doctor-<time>.zip into this folder: the manifest, the objects, events and last log lines of the environment, versions and system. Values of variables and Secrets are left out, and what looks like a credential is masked. With a name, only what is of that service.

      \`--check\` writes nothing: it tries what deploy needs (rights, quota, storage and Ingress class, domain, registry, builder) and tells what helps. Status 1 when something is missing.
    `,
    examples: [
      ['Make a report', '$0 doctor'],
      ['Is this cluster ready?', '$0 doctor --check'],
    ],
  })

  service = Option.String({ name: 'devName', required: false })
  check = Option.Boolean('--check', false, { description: 'check the cluster, and write no report' })
  output = Option.String('-o,--output', 'text', { description: 'form of --check: text, json or yaml' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  async useCase(): Promise<Outcome> {
    return this.given(oneOf('--output', this.output, dataForms), (output) => {
      if (!this.check) return this.makeReport()
      return this.inSession('Read', async ({ ports, session }) => {
        const { checkCluster } = await import('../../app/inspect/check.ts')
        const builder = this.context.env['BUILDKIT_HOST']
        return checkCluster(ports)({ session, output, ...(builder === undefined ? {} : { builder }) })
      })
    })
  }

  private makeReport(): Promise<Outcome> {
    return this.inEnvironment(async ({ environment, ports, session }) => {
      const { doctor } = await import('../../app/inspect/doctor.ts')
      const { file: files, service } = this
      const { version } = this.context
      const facts = { version, node: process.version, os: `${platform()} ${release()}`, arch: arch() }
      return doctor(ports)({ session, environment, files, facts, ...(service === undefined ? {} : { service }) })
    })
  }
}
