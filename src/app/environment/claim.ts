/** Whether a project may use the name of an environment, which belongs to the source that it was deployed from. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Chosen, noFiles } from '../../domain/compose/choose.ts'
import { type Diagnostic, error, warning } from '../../domain/diagnostic/diagnostic.ts'
import { claimIn, type EnvironmentRecord } from '../../domain/environment/record.ts'
import {
  type EnvironmentSource,
  matchSources,
  type SourceQuestion,
  type SourceVerdict,
  sourceText,
} from '../../domain/environment/source.ts'
import { defined } from '../../domain/object/defined.ts'
import { resolvePath } from '../../domain/text/path.ts'
import { repositoryIdentity } from '../../domain/text/public-url.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Ports } from '../../ports/ports.ts'
import { askYes } from '../ask-yes.ts'
import type { Target } from '../context/target.ts'
import type { ProjectOptions } from '../project/choose.ts'
import { givenName } from '../project/environment-name.ts'
import type { NamedProject } from '../project/naming.ts'
import { findRecord, recordIn } from './find-record.ts'

/** `cwd`: the absolute folder that the paths of `chosen` are relative to. */
export const sourceOf = async (
  { git, machine }: Pick<Ports, 'git' | 'machine'>,
  cwd: string,
  { files, folder }: Chosen,
): Promise<EnvironmentSource> => {
  const full = resolvePath(cwd, folder)
  const { branch, commit, folder: inside = '', repository } = await git.head(full)
  return repository === undefined
    ? { files, folder: full, machine: machine.host }
    : { files, folder: inside, repository: repositoryIdentity(repository), ...defined({ branch, commit }) }
}

/**
 * DT3117 for a repository that git refuses to read, as in a container that runs as another user. {@link sourceOf} then
 * names the folder and the machine.
 */
export const gitFindings = async (
  { git }: Pick<Ports, 'git'>,
  cwd: string,
  { folder }: Pick<Chosen, 'folder'>,
): Promise<ReadonlyArray<Diagnostic>> => {
  const full = resolvePath(cwd, folder)
  const { refused } = await git.head(full)
  if (refused === undefined) return []
  const mend = refused.includes('ownership')
    ? '`git config --global --add safe.directory PATH`, with the path that git names, if you trust its owner'
    : '`git status` has to work there'
  const help = `${mend}; until then, the environment belongs to this folder on this machine, not to the repository`
  return [warning('DT3117', `git says nothing about ${visible(full)}: ${refused}`, { help })]
}

/** The project that wants the environment. `own`: its own source and services. */
export type Claimant = Pick<SourceQuestion, 'environment' | 'own' | 'isGuessed' | 'takesOver'> & {
  readonly wanted: ProjectOptions
  readonly target: Pick<Target, 'namespace'>
}

/** The question about a record. */
export const questionOf =
  ({ environment, isGuessed, own, takesOver, target, wanted }: Claimant) =>
  (record: EnvironmentRecord | undefined): SourceQuestion => ({
    environment,
    namespace: target.namespace,
    own,
    isGuessed,
    isSaid: givenName(wanted) !== undefined,
    takesOver,
    recorded: record === undefined ? undefined : claimIn(record),
  })

/** The warnings to report. Fails with DT3114, DT3116, or DT2101 without a terminal. */
export const settled = (
  { prompt }: Pick<Ports, 'prompt'>,
  verdict: SourceVerdict,
): TE.TaskEither<Diagnostic, ReadonlyArray<Diagnostic>> => {
  switch (verdict._tag) {
    case 'Proceed':
      return TE.right(verdict.findings)
    case 'Refuse':
      return TE.left(verdict.why)
    case 'Ask':
      return pipe(
        askYes(prompt, { text: verdict.text, flag: verdict.flag }),
        TE.map(() => []),
      )
  }
}

const taken = error('DT3103', 'the environment was deployed from elsewhere meanwhile', {
  help: 'run the command again',
})

/** Judges again under the lock: somebody may have deployed since `before` was judged and settled. */
export const changedVerdict = (before: SourceVerdict, now: SourceVerdict): Diagnostic | undefined => {
  switch (now._tag) {
    case 'Proceed':
      return undefined
    case 'Refuse':
      return now.why
    case 'Ask':
      return before._tag === 'Ask' && before.text === now.text ? undefined : taken
  }
}

/** The message of read-only commands about an environment that was deployed from elsewhere. */
export const foreignText = (record: EnvironmentRecord | undefined, source: EnvironmentSource): string | undefined =>
  record === undefined || matchSources(claimIn(record), { source, services: [] }) === 'Same'
    ? undefined
    : `the environment "${record.environment}" was deployed from ${sourceText(record.source)}`

/** {@link foreignText} of the environment that a project names; nothing when a flag or a variable names it. */
export const foreignProject =
  (ports: Pick<Ports, 'git' | 'machine'>) =>
  async (
    target: Pick<Target, 'cluster' | 'namespace'>,
    wanted: ProjectOptions,
    { chosen, folder, name }: NamedProject,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    if (name === undefined || givenName(wanted) !== undefined) return undefined
    const [source, found] = await Promise.all([
      sourceOf(ports, wanted.cwd, chosen ?? { ...noFiles, folder }),
      findRecord(target, name, signal)(),
    ])
    return foreignText(E.isRight(found) ? recordIn(found.right) : undefined, source)
  }
