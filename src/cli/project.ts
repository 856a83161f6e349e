/**
 * The project of a command. Interruptions end the program at once while files are read and translated, since nothing is
 * held then.
 */
import type { ProjectOptions } from '../app/project/choose.ts'
import type { Project } from '../app/project/project.ts'
import type { Ports } from '../ports/ports.ts'
import type { CliContext } from './context.ts'

export const projectOf = async (
  { computing }: Pick<CliContext, 'computing'>,
  ports: Pick<Ports, 'files'>,
  wanted: ProjectOptions,
): Promise<Project> => {
  const { openProject } = await import('../app/project/project.ts')
  const { line, name, translate } = openProject(ports)(wanted)
  return { wanted, line, name: () => computing(name), translate: (later) => computing(() => translate(later)) }
}
