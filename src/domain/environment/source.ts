/**
 * Where an environment is deployed from. A name belongs to its source: a deploy or destroy from elsewhere must not take
 * what another project has deployed under the same name.
 */
import * as t from 'io-ts'
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts'
import { visible } from '../text/visible.ts'

/**
 * `repository`: `host/path`, whichever way git reaches it. `folder`: that of the first file, inside the repository (''
 * at its root); without a repository it is absolute, on `machine`.
 */
export const EnvironmentSource = t.readonly(
  t.partial({
    files: t.readonlyArray(t.string),
    folder: t.string,
    machine: t.string,
    repository: t.string,
    branch: t.string,
    commit: t.string,
  }),
)
export type EnvironmentSource = t.TypeOf<typeof EnvironmentSource>

/** What the record of an environment, or a project, says about its source. `services`: all of them, by object name. */
export type SourceClaim = { readonly source: EnvironmentSource; readonly services: ReadonlyArray<string> }

/** Moved: from elsewhere, but with at least half of the services, and at least one. */
export type SourceMatch = 'Same' | 'Moved' | 'Foreign'

const isSamePlace = (a: EnvironmentSource, b: EnvironmentSource): boolean =>
  a.repository === b.repository && a.folder === b.folder && (a.repository !== undefined || a.machine === b.machine)

/** A record without a source belongs to whoever uses its name. */
export const matchSources = (recorded: SourceClaim, own: SourceClaim): SourceMatch => {
  if (recorded.source.folder === undefined || isSamePlace(recorded.source, own.source)) return 'Same'
  const known = new Set(own.services)
  const shared = recorded.services.filter((service) => known.has(service)).length
  return shared > 0 && shared * 2 >= recorded.services.length ? 'Moved' : 'Foreign'
}

/** For people: `github.com/acme/shop (folder api)`, `/home/ann/shop on laptop`. */
export const sourceText = ({ folder = '', machine, repository }: EnvironmentSource): string => {
  const on = machine === undefined ? '' : ` on ${visible(machine)}`
  if (repository === undefined) return `${visible(folder)}${on}`
  return folder === '' ? visible(repository) : `${visible(repository)} (folder ${visible(folder)})`
}

/** A finding, or a question with the flag that answers it; nothing when the command may proceed silently. */
export type SourceVerdict =
  | { readonly _tag: 'Proceed'; readonly findings: ReadonlyArray<Diagnostic> }
  | { readonly _tag: 'Ask'; readonly text: string; readonly flag: string }
  | { readonly _tag: 'Refuse'; readonly why: Diagnostic }

/**
 * `isSaid`: the name was given by a flag or by DEVTOOL_NAME. `isGuessed`: it was taken from the folder or the
 * repository.
 */
export type SourceQuestion = {
  readonly environment: string
  readonly namespace: string
  readonly recorded: SourceClaim | undefined
  readonly own: SourceClaim
  readonly isSaid: boolean
  readonly isGuessed: boolean
  readonly takesOver: boolean
}

const proceed = (...findings: ReadonlyArray<Diagnostic>): SourceVerdict => ({ _tag: 'Proceed', findings })

/** Folders of one repository have the same name unless their files say otherwise. */
const waysOut = ({ isGuessed, own: { source } }: SourceQuestion): string =>
  isGuessed && source.repository !== undefined && source.folder !== ''
    ? 'write `name:` at the top of the file, or --name NEW, to deploy under a name of its own; --take-over makes that environment belong to this folder'
    : 'use another name (--name NEW), or --take-over if that environment is to belong to this folder'

const foreign = (question: SourceQuestion, recorded: SourceClaim, help: string): Diagnostic => {
  const { environment, namespace, own } = question
  return error(
    'DT3114',
    `the environment "${environment}" in namespace ${namespace} belongs to ${sourceText(recorded.source)}, not to ${sourceText(own.source)}`,
    { help },
  )
}

const moved = ({ environment, own }: SourceQuestion, recorded: SourceClaim): Diagnostic =>
  warning(
    'DT3115',
    `the environment "${environment}" was deployed from ${sourceText(recorded.source)} before; this is ${sourceText(own.source)}`,
    { help: 'if these are two projects, give each a name of its own with --name or `name:`' },
  )

const mostNamed = 5

const named = (services: ReadonlyArray<string>): string =>
  services.length > mostNamed
    ? `${services.slice(0, mostNamed).join(', ')} and ${services.length - mostNamed} more`
    : services.join(', ')

/** `isPartial`: deletes nothing. Law: nothing of another source is changed unless the user says so. */
export const judgeDeploy = (question: SourceQuestion & { readonly isPartial: boolean }): SourceVerdict => {
  const { environment, isPartial, isSaid, own, recorded, takesOver } = question
  if (recorded === undefined || takesOver) return proceed()
  const match = matchSources(recorded, own)
  if (match === 'Foreign' && !isSaid) return { _tag: 'Refuse', why: foreign(question, recorded, waysOut(question)) }
  const kept = new Set(own.services)
  if (!isPartial && recorded.services.length > 0 && !recorded.services.some((service) => kept.has(service))) {
    const text = `delete every service of the environment "${environment}" (${named(recorded.services)})?`
    return { _tag: 'Ask', text, flag: '--take-over' }
  }
  return match === 'Moved' && !isSaid ? proceed(moved(question, recorded)) : proceed()
}

/**
 * Law: nothing of another source is deleted without a question, unless the file has all of its services and its name.
 */
export const judgeDestroy = (question: SourceQuestion): SourceVerdict => {
  const { environment, isGuessed, isSaid, namespace, own, recorded, takesOver } = question
  if (recorded === undefined || takesOver || isSaid) return proceed()
  const match = matchSources(recorded, own)
  if (match === 'Same') return proceed()
  const held = new Set(own.services)
  const isWhole = recorded.services.every((service) => held.has(service))
  if (!isGuessed && match === 'Moved' && isWhole) return proceed(moved(question, recorded))
  if (!isGuessed && match === 'Foreign') {
    const help = `--name ${environment} destroys it all the same`
    return { _tag: 'Refuse', why: foreign(question, recorded, help) }
  }
  const text = `destroy the environment "${environment}" in namespace ${namespace}, which was deployed from ${sourceText(recorded.source)}?`
  return { _tag: 'Ask', text, flag: `--name ${environment}` }
}
