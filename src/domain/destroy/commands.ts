/**
 * Whether the destroy commands of an environment run: only those of a manifest that is here, never recorded ones but in
 * a run of the platform.
 */
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts'
import { claimIn, type EnvironmentRecord, type RecordedCommand } from '../environment/record.ts'
import { type EnvironmentSource, matchSources, sourceText } from '../environment/source.ts'
import { visible } from '../text/visible.ts'

/**
 * `isThere`: the environment has a record, or objects. `record`: an unreadable one does not say which manifest the
 * environment was deployed from. `present`: the commands of the manifest in this project, and its source; 'Record':
 * they are the recorded ones. `skips`: the user skips the commands.
 */
export type CommandsInput = {
  readonly environment: string
  readonly isThere: boolean
  readonly record: EnvironmentRecord | 'Unreadable' | undefined
  readonly present:
    | { readonly commands: ReadonlyArray<RecordedCommand>; readonly source: EnvironmentSource | 'Record' }
    | undefined
  readonly skips: boolean
}

/** `keepsRecord`: the commands are still to be run, with the variables of the last deploy. */
export type CommandsVerdict =
  | { readonly _tag: 'Run' }
  | { readonly _tag: 'None' }
  | { readonly _tag: 'NotRun'; readonly findings: ReadonlyArray<Diagnostic>; readonly keepsRecord: boolean }

const none: CommandsVerdict = { _tag: 'None' }
const skipped = '--skip-commands is given'
const unreadable = 'its record cannot be read'

/** Why the manifest in this project is not the one that the environment was deployed from. */
const otherOrigin = (
  record: EnvironmentRecord | undefined,
  source: EnvironmentSource | 'Record',
): string | undefined => {
  if (record === undefined || source === 'Record') return undefined
  if (matchSources(claimIn(record), { source, services: [] }) !== 'Same') return 'it was deployed from elsewhere'
  const { files } = record.source
  const isSame = files === undefined || files.join('\n') === source.files?.join('\n')
  return isSame ? undefined : 'it was deployed from other files'
}

const showCommand = ({ command, name }: RecordedCommand): ReadonlyArray<string> =>
  command === name
    ? [`  ${visible(name)}`]
    : [`  ${visible(name)}:`, ...command.split('\n').map((line) => `    ${visible(line)}`)]

type Recorded = Pick<CommandsInput, 'environment' | 'skips'> & { readonly record: EnvironmentRecord | undefined }

/** DT3180. */
const notRun = (
  { environment, record, skips }: Recorded,
  lead: string,
  commands: ReadonlyArray<RecordedCommand>,
): Extract<CommandsVerdict, { _tag: 'NotRun' }> => {
  const { commit, ...source } = record?.source ?? {}
  const at = commit === undefined ? '' : ` at commit ${visible(commit)}`
  const from = record === undefined ? '' : `, deployed from ${sourceText(source)}${at},`
  const run = `devtool destroy --name ${environment}`
  const keepsRecord = !skips && record !== undefined
  const steps = keepsRecord
    ? [
        'they stay recorded, with the variables of the last deploy, until they have run:',
        `\`${run}\` runs them where their manifest is, \`${run} --skip-commands\` forgets them`,
      ]
    : []
  const message = `${lead} the destroy commands of "${environment}"${from} were not run`
  const help = [...commands.flatMap(showCommand), ...steps].join('\n')
  return { _tag: 'NotRun', keepsRecord, findings: [warning('DT3180', message, { help })] }
}

/**
 * Laws: commands run only for an environment that exists, and only from the manifest that it was deployed from;
 * commands that do not run are reported.
 */
export const commandsVerdict = (input: CommandsInput): CommandsVerdict => {
  const { environment, isThere, present, skips } = input
  if (!isThere) return none
  const [record, lost] = input.record === 'Unreadable' ? [undefined, unreadable] : [input.record, undefined]
  const recorded = record?.destroyCommands ?? []
  const notHere = present === undefined ? 'its manifest is not here' : otherOrigin(record, present.source)
  const own = notHere === undefined ? (present?.commands ?? []) : []
  const known = recorded.length > 0 ? recorded : own
  const because = skips ? skipped : (lost ?? notHere)
  if (because === undefined) return own.length === 0 ? none : { _tag: 'Run' }
  return known.length === 0 ? none : notRun({ environment, record, skips }, `${because}, so`, known)
}

/** The verdict on another environment, which `--all` destroys along with `own`. */
export const verdictBeside = (own: string, record: EnvironmentRecord | undefined, skips: boolean): CommandsVerdict => {
  const commands = record?.destroyCommands ?? []
  if (record === undefined || commands.length === 0) return none
  return notRun(
    { environment: record.environment, record, skips },
    `${skips ? skipped : `--all runs only those of "${own}"`}, so`,
    commands,
  )
}

/** DT3180 for an environment of which only the destroy commands remain to be run. */
export const stillToRun = (record: EnvironmentRecord): ReadonlyArray<Diagnostic> => {
  const { destroyCommands = [], environment, inventory, status } = record
  if (status !== 'destroying' || inventory.length > 0 || destroyCommands.length === 0) return []
  return notRun({ environment, record, skips: false }, 'everything else is deleted, but', destroyCommands).findings
}

/** The findings about commands that do not run. */
export const notRunIn = (verdict: CommandsVerdict): Omit<Extract<CommandsVerdict, { _tag: 'NotRun' }>, '_tag'> =>
  verdict._tag === 'NotRun' ? verdict : { findings: [], keepsRecord: false }
