/** Commands that look at one environment: its name first, which needs no cluster, then the way to the cluster. */
import type { Outcome } from '../app/output/outcome.ts'
import { type Connected, EnvironmentCommand } from './cluster.ts'

/** What a use case gets. */
export type Seen = Connected & { readonly environment: string }

export abstract class SeenCommand extends EnvironmentCommand {
  protected async inEnvironment(run: (seen: Seen) => Promise<Outcome>): Promise<Outcome> {
    return this.given(this.wanted([], {}), async (wanted) => {
      const { openProject } = await import('../app/project/project.ts')
      const project = openProject(await this.context.ports())(wanted)
      const { findings, name } = await project.name()
      if (name === undefined) return { findings, line: project.line }
      const outcome = await this.inSession('Read', (connected) => run({ ...connected, environment: name }))
      return { ...outcome, findings: [...findings, ...outcome.findings] }
    })
  }
}
