/** Loads images of the Docker daemon into a local cluster, with the tool that created the cluster. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type LocalCluster, loadCommand } from '../../domain/build/local-cluster.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { BuildPorts, BuildRequest } from './request.ts'

/** The end of the tool's output is enough to see the reason. */
const mostOutput = 2000

/** DT4029 when loading fails. */
export const loadIntoCluster = async (
  { commands }: Pick<BuildPorts, 'commands'>,
  cluster: LocalCluster,
  name: string,
  { place, shell, signal }: BuildRequest,
): Promise<ReadonlyArray<Diagnostic>> => {
  const argv = loadCommand(cluster, [name])
  if (argv === undefined) return []
  let output = ''
  const take = (text: string): void => {
    output = `${output}${text}`.slice(-mostOutput)
  }
  const run = { line: { _tag: 'Program', argv }, folder: place.cwd, env: shell } as const
  const failure = pipe(
    commands.run(run, take, signal),
    TE.match(
      ({ message }) => message,
      (status) => (status === 0 ? undefined : output.trim() || `status ${status}`),
    ),
  )
  const why = await failure()
  if (why === undefined) return []
  const [tool = ''] = argv
  const help = `\`${argv.join(' ')}\` must work in this shell; or use a registry (--registry)`
  return [error('DT4029', `${tool} did not load ${name}: ${why}`, { help })]
}
