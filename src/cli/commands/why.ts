import { Command, Option } from 'clipanion'
import { dataForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import * as C from '../../domain/checked.ts'
import { EnvironmentCommand } from '../cluster.ts'
import { oneOf } from '../options.ts'

export class WhyCommand extends EnvironmentCommand {
  static override paths = [['why']]

  static override usage = Command.Usage({
    category: 'Environment',
    description: 'tell what keeps the services of an environment from running',
    details: `
      Looks at the environment of this folder, or that of \`--name\`, and tells every cause that it finds: what others
      depend on first, each with what the cluster says of it, the last lines of the log, what to do, and the command that
      shows more. With a service it tells of that one and of what it depends on.

      The status is 0 when nothing is wrong, 1 when something is, 5 when there is no such environment. Nothing is changed,
      and what you are not allowed to read is left out.
    `,
    examples: [
      ['Tell what is wrong in the environment of this folder', '$0 why'],
      ['Tell why one service does not come up', '$0 why web'],
      ['The same for programs', '$0 why -o json'],
    ],
  })

  service = Option.String({ required: false })
  output = Option.String('-o,--output', 'text', { description: 'text, json or yaml' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  async useCase(): Promise<Outcome> {
    const options = C.struct({
      output: oneOf('--output', this.output, dataForms),
      wanted: this.wanted([], {}),
    })
    return this.given(options, async ({ output = 'text', wanted }) => {
      if (wanted === undefined) return { findings: [] }
      const { service } = this
      return this.inSession('Read', async ({ ports, session }) => {
        const { openProject } = await import('../../app/project/project.ts')
        const project = openProject(ports)(wanted)
        const { findings, name } = await project.name()
        if (name === undefined) return { findings, line: project.line }
        const { why } = await import('../../app/inspect/why.ts')
        return why(ports)({ session, environment: name, output, ...(service === undefined ? {} : { service }) })
      })
    })
  }
}
