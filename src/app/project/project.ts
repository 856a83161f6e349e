/** A project as one command sees it: its files are read once, for its name, its plan and its images. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { projectVariables } from '../../domain/compose/assemble.ts'
import { type Chosen, noFiles } from '../../domain/compose/choose.ts'
import { textOf } from '../../domain/compose/file-content.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type LineOf, linesOf } from '../../domain/diagnostic/lines.ts'
import type { Ports } from '../../ports/ports.ts'
import { choose, type ProjectOptions, requestOf } from './choose.ts'
import { manifestTrees, type OpenedManifest } from './manifest.ts'
import { readProject } from './model.ts'
import { type NamedProject, nameGiven, nameIn } from './naming.ts'
import { keepMade, noFilesRead, type ReadFiles, type SettleFiles, settling } from './reading.ts'
import { type Translation, translation, untranslated } from './translation.ts'

/** Values that are known only later: the settings of the cluster and its context, and the images that were built. */
type Later = Partial<Pick<ProjectOptions, 'settings' | 'defaults' | 'built' | 'withOrigins'>>

export type Project = {
  readonly wanted: ProjectOptions
  /**
   * The environment that `deploy` would use. Without a name there is an error in `findings`, with one only warnings.
   */
  readonly name: () => Promise<NamedProject>
  readonly translate: (later?: Later) => Promise<Translation>
  /** Lines of files, for excerpts. */
  readonly line: LineOf
}

const choosing = (settle: SettleFiles, read: ReadFiles, wanted: ProjectOptions): TE.TaskEither<Diagnostic, Chosen> =>
  pipe(
    () => settle('.', (files) => choose(wanted, files)),
    TE.tapIO((chosen) => () => keepMade(read.contents, chosen)),
  )

const opening = async (settle: SettleFiles, wanted: ProjectOptions, chosen: Chosen): Promise<OpenedManifest> => {
  const { request, trees } = await settle(chosen.folder, (files) => {
    const asked = requestOf(wanted, chosen, files)
    // Asks for the env files along with the others, so that a large project is not assembled without them first.
    projectVariables(asked, files)
    return { request: asked, trees: manifestTrees(asked, files) }
  })
  if (trees.length === 0) return { request }
  const { readManifest } = await import('../../domain/manifest/read/manifest.ts')
  return { request, manifests: { trees, readManifest } }
}

/** Finds DT2001, DT1031 and errors in files. */
const naming = async (settle: SettleFiles, read: ReadFiles, wanted: ProjectOptions): Promise<NamedProject> => {
  const choice = await choosing(settle, read, wanted)()
  const chosen = E.getOrElse(() => noFiles)(choice)
  const place = { folder: chosen.folder, ...(E.isRight(choice) ? { chosen } : {}) }
  const given = nameGiven(wanted)
  if (given !== undefined) return { ...given, ...place }
  const opened = await opening(settle, wanted, chosen)
  return { ...(await settle(chosen.folder, (files) => nameIn(wanted, opened, files))), ...place }
}

const translating = (settle: SettleFiles, read: ReadFiles, wanted: ProjectOptions): Promise<Translation> => {
  const translateChosen = async (chosen: Chosen): Promise<Translation> => {
    const opened = await opening(settle, wanted, chosen)
    const model = await settle(chosen.folder, readProject(wanted, opened))
    // Frees the trees of a large project before it is translated.
    read.trees.clear()
    return translation(wanted, chosen, model)
  }
  const translated = pipe(
    choosing(settle, read, wanted),
    TE.matchE(
      (why) => T.of(untranslated(why)),
      (chosen) => () => translateChosen(chosen),
    ),
  )
  return translated()
}

/** Nothing is read until it is needed. */
export const openProject =
  (ports: Pick<Ports, 'files'>) =>
  (wanted: ProjectOptions): Project => {
    const read = noFilesRead(wanted.shell)
    const settle = settling(ports, read, wanted.isConfined)
    return {
      wanted,
      name: () => naming(settle, read, wanted),
      translate: (later = {}) => translating(settle, read, { ...wanted, ...later }),
      line: linesOf((file) => {
        const content = read.content(file)
        return content?._tag === 'File' ? textOf(content.bytes) : undefined
      }),
    }
  }
