/** Images of the Docker daemon into a local cluster, by the tool that made the cluster. */
import * as E from 'fp-ts/lib/Either.js'
import { type LocalCluster, loadCommand } from '../../domain/build/local-cluster.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { BuildPorts, BuildRequest } from './request.ts'

/** What the tool said last is enough to see why. */
const mostOutput = 2000

/** DT4029 when it could not. */
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
  const status = await commands.run(run, take, signal)()
  const [tool = ''] = argv
  if (E.isRight(status) && status.right === 0) return []
  const why = E.isLeft(status) ? status.left.message : output.trim() || `status ${status.right}`
  const help = `\`${argv.join(' ')}\` must work in this shell; or use a registry (--registry)`
  return [error('DT4029', `${tool} did not load ${name}: ${why}`, { help })]
}
