/** `build`: builds the images of a project, or of one Dockerfile. */

import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuiltImages } from '../../domain/build/built.ts'
import { chosenImages } from '../../domain/build/choose.ts'
import { type Destination, unpushable } from '../../domain/build/destination.ts'
import { type BuildFlags, forOneOnly, unusableTags } from '../../domain/build/flags.ts'
import type { Image } from '../../domain/build/image.ts'
import { deployedAs } from '../../domain/build/names.ts'
import type { BuildOutput } from '../../domain/build/solve.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { type Chosen, filesTaken } from '../../domain/compose/choose.ts'
import { resolveContext } from '../../domain/context/resolve.ts'
import type { ContextFields } from '../../domain/context/store.ts'
import { type Diagnostic, error, remark, strict } from '../../domain/diagnostic/diagnostic.ts'
import { type LineOf, withTexts } from '../../domain/diagnostic/lines.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Ports } from '../../ports/ports.ts'
import { loadStore } from '../context/locate.ts'
import type { Project } from '../project/project.ts'
import type { Translation } from '../project/translation.ts'
import { type Report, writeReports } from '../reports/reports.ts'
import { answer, type Result } from '../result.ts'
import { type DirectBuild, directImage, typed } from './direct.ts'
import { buildImages } from './images.ts'
import { placeFor } from './recipe.ts'
import type { BuildPorts, BuildRequest, BuiltOne } from './request.ts'
import { type BuiltFiles, writeBuilt } from './write-built.ts'

/**
 * `names`: images and services to build. `direct`: a Dockerfile and its context instead. `context`: the context named
 * by a flag or variable.
 */
export type BuildProject = {
  readonly project: Project
  readonly names: ReadonlyArray<string>
  readonly direct?: DirectBuild | undefined
  readonly flags: BuildFlags
  readonly output: BuildOutput
  readonly written?: BuiltFiles
  readonly context?: string | undefined
  readonly reports: ReadonlyArray<Report>
  readonly version: string
  readonly signal: AbortSignal
}

type ProjectPorts = BuildPorts & Pick<Ports, 'home' | 'writer'>

type Settings = Pick<ContextFields, 'registry' | 'builder'>

/** Settings of the context. No cluster is asked, and a kubeconfig is not needed. */
const rememberedBy = (ports: ProjectPorts, { context, project }: BuildProject): TE.TaskEither<Diagnostic, Settings> => {
  const naming = { flag: context, variable: project.wanted.shell.get('DEVTOOL_CONTEXT'), hasFile: false }
  return pipe(
    loadStore(ports),
    TE.map((store) => resolveContext(naming, store, undefined)?.stored ?? {}),
  )
}

/** An image that was only built has no reference. */
const imageOf = ({ digest, image, isKept, names, reference }: BuiltOne): BuiltImages['images'][number] => ({
  name: image.name,
  ...(names.length === 0 ? {} : { image: deployedAs(reference) }),
  ...defined({ digest }),
  names,
  cached: isKept,
})

/** Without a name to push to, an image is built for the cache only. */
const unnamed = ({ direct, flags, output }: BuildProject): ReadonlyArray<Diagnostic> =>
  direct !== undefined && flags.tags.length === 0 && output === 'Push'
    ? [remark('DT4051', 'the image has no name, so it is built but not pushed', { help: 'name it with --tag' })]
    : []

/** The images to build. */
type ChosenImages = Pick<BuildRequest, 'images' | 'asked' | 'environment' | 'registry' | 'variables'>

/** `line` and `files` as a result has `line` and `chosen`. */
type Choice = { readonly chosen: Checked<ChosenImages>; readonly files?: Chosen | undefined; readonly line: LineOf }

const chosenDirectly = async (
  ports: ProjectPorts,
  direct: DirectBuild,
  { flags, project }: BuildProject,
): Promise<Choice> => {
  const { cwd, shell } = project.wanted
  const variables = (name: string): string | undefined => shell.get(name)
  const chosen = C.map((image: Image) => ({ images: [image], asked: [image], environment: image.name, variables }))(
    await directImage(ports, direct, flags, cwd),
  )
  return { chosen, line: () => undefined }
}

/** The named images of the file. Other errors in the file prevent a build as well. */
const chosenIn = (
  { findings, images, plan, settings, variables = () => undefined }: Translation,
  { flags, names }: BuildProject,
): Checked<ChosenImages> => {
  if (C.hasErrors(findings)) return C.failBecause(findings, nothingToBuild)
  const chosen = chosenImages(images, names)
  if (chosen._tag === 'Left') return chosen
  const { asked } = chosen.right
  return C.note({ ...chosen.right, environment: plan?.environment ?? '', registry: settings?.registry, variables }, [
    ...findings.filter(({ severity }) => severity !== 'note'),
    ...C.findings(chosen),
    ...forOneOnly(flags, asked),
    ...(images.length === 0 ? [nothingToBuild] : []),
  ])
}

const chosenFromFiles = async (build: BuildProject, registry: string | undefined): Promise<Choice> => {
  const { line, translate } = build.project
  const translated = await translate({ defaults: defined({ registry }) })
  return { chosen: chosenIn(translated, build), files: translated.chosen, line }
}

const nothingToBuild = error('DT4027', 'nothing in the file has a build', {
  help: 'add build: to a service or to the manifest, or build a Dockerfile with -f',
})

const built = async (
  ports: ProjectPorts,
  build: BuildProject,
  chosen: ChosenImages,
  { files, line }: Choice,
  { builder }: Settings,
): Promise<Result<BuiltImages>> => {
  const { direct, flags, output, project, signal } = build
  const { wanted } = project
  const destination: Destination = { output }
  const unplaced = direct === undefined ? unpushable(chosen.images, destination, chosen.registry) : []
  if (unplaced.length > 0) return { findings: unplaced, line }
  for (const text of filesTaken(files)) ports.progress.tell({ _tag: 'Said', text })
  const done = await buildImages(ports)({
    ...chosen,
    flags,
    isForced: flags.noCache,
    destination,
    builder,
    shell: wanted.shell,
    place: { ...placeFor(wanted), isDirect: direct !== undefined },
    signal,
  })
  const asked = new Set(chosen.asked.map(({ path }) => path))
  const ours = done.built.filter(({ image }) => asked.has(image.path))
  const [first] = C.hasErrors(done.findings) ? [] : ours
  const unwritten = first === undefined ? [] : await writeBuilt(ports, first, build.written ?? {})
  const findings = [...(direct === undefined ? done.findings : typed(done.findings)), ...unwritten]
  return {
    findings,
    line: withTexts(line, done.texts),
    ...(C.hasErrors(findings) ? {} : { value: { images: ours.map(imageOf) } }),
  }
}

const builtWith = async (
  ports: ProjectPorts,
  build: BuildProject,
  settings: Settings,
): Promise<Result<BuiltImages>> => {
  const { direct, flags, output, project, reports, version } = build
  const choice =
    direct === undefined ? await chosenFromFiles(build, settings.registry) : await chosenDirectly(ports, direct, build)
  const known = C.valueOf(choice.chosen)
  const found = [...C.findings(choice.chosen), ...unusableTags(flags, output === 'Push')]
  const outcome =
    known === undefined || C.hasErrors(found)
      ? { findings: [], ...defined({ chosen: choice.files }), line: choice.line }
      : await built(ports, build, known, choice, settings)
  const all = [...found, ...outcome.findings, ...(C.hasErrors(outcome.findings) ? [] : unnamed(build))]
  const findings = project.wanted.isStrict ? strict(all) : all
  const unwritten = await writeReports(ports, version)(reports, findings)
  const { value, ...told } = outcome
  const isDone = value !== undefined && !C.hasErrors(findings)
  return { ...told, findings: [...findings, ...unwritten], ...(isDone ? { value } : {}) }
}

export const buildProject =
  (ports: ProjectPorts) =>
  (build: BuildProject): Promise<Result<BuiltImages>> => {
    const work = pipe(
      rememberedBy(ports, build),
      TE.flatMapTask((settings) => () => builtWith(ports, build, settings)),
    )
    return answer(work)
  }
