/** The command that a run executes. */
import type { JsonObject } from '../../cluster/json.ts'
import type { RecordedCommand } from '../../environment/record.ts'
import type { RunRecord } from './record.ts'
import type { RunPrograms } from './request.ts'

/** `given`: values that the user entered, which take precedence over all others. */
export const commandOf = (
  { action, environment, file, namespace, timeoutSeconds, volumes }: RunRecord,
  { domain, registry }: Omit<RunPrograms, 'image'>,
  given: ReadonlyMap<string, string>,
): ReadonlyArray<string> => [
  action,
  '--name',
  environment,
  '--namespace',
  namespace,
  '--yes',
  '--wait',
  '--timeout',
  `${timeoutSeconds}s`,
  '--wait-for-lock',
  `${timeoutSeconds}s`,
  '--progress',
  'json',
  ...(file === undefined ? [] : ['--file', file]),
  ...[...given].flatMap(([name, value]) => ['--var', `${name}=${value}`]),
  ...(action === 'destroy' && volumes ? ['--volumes'] : []),
  ...(action === 'deploy' && domain !== '' ? ['--domain', domain] : []),
  ...(action === 'deploy' && registry !== '' ? ['--registry', registry] : []),
]

/** A manifest with only the commands of the environment's record, for when nothing else is known. */
export const manifestOf = (commands: ReadonlyArray<RecordedCommand>): JsonObject => ({
  destroy: commands.map(({ command, name }) => ({ name, command })),
})
