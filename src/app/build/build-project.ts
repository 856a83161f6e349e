/** `build`: builds the images of a project, or of one Dockerfile. */

import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuiltImages } from '../../domain/build/built.ts'
import { type Destination, unpushable } from '../../domain/build/destination.ts'
import { unusableTags } from '../../domain/build/flags.ts'
import { deployedAs } from '../../domain/build/names.ts'
import type { BuildOutput } from '../../domain/build/solve.ts'
import * as C from '../../domain/checked.ts'
import { filesTaken } from '../../domain/compose/choose.ts'
import { type Diagnostic, remark, strict } from '../../domain/diagnostic/diagnostic.ts'
import { withTexts } from '../../domain/diagnostic/lines.ts'
import { defined } from '../../domain/object/defined.ts'
import { isRun } from '../../domain/platform/run/build-access.ts'
import type { Ports } from '../../ports/ports.ts'
import { writeReports } from '../reports/reports.ts'
import { answer, type Result } from '../result.ts'
import {
  type BuildChoice,
  type BuildSettings,
  type ChosenBuild,
  choiceOf,
  type ImageChoice,
  settingsFor,
} from './choice.ts'
import { typed } from './direct.ts'
import { buildImages } from './images.ts'
import { placeFor } from './recipe.ts'
import type { BuildPorts, BuiltOne } from './request.ts'
import { type BuiltFiles, writeBuilt } from './write-built.ts'

type ProjectPorts = BuildPorts & Pick<Ports, 'home' | 'writer'>

export type BuildProject = ChosenBuild & { readonly output: BuildOutput; readonly written?: BuiltFiles }

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

const built = async (
  ports: ProjectPorts,
  build: BuildProject,
  chosen: ImageChoice,
  { files, line }: BuildChoice,
  { builder, platform }: BuildSettings,
): Promise<Result<BuiltImages>> => {
  const { direct, flags, output, signal, wanted } = build
  const destination: Destination = { output }
  const unplaced =
    direct === undefined ? unpushable(chosen.images, destination, chosen.registry, isRun(wanted.shell)) : []
  if (unplaced.length > 0) return { findings: unplaced, line }
  for (const text of filesTaken(files)) ports.progress.tell({ _tag: 'Said', text })
  const done = await buildImages(ports)({
    ...chosen,
    flags,
    isForced: flags.noCache,
    destination,
    builder,
    platform,
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
  settings: BuildSettings,
): Promise<Result<BuiltImages>> => {
  const { flags, output, reports, version, wanted } = build
  const choice = await choiceOf(ports, build, settings)
  const known = C.valueOf(choice.chosen)
  const found = [...C.findings(choice.chosen), ...unusableTags(flags, output === 'Push')]
  const outcome =
    known === undefined || C.hasErrors(found)
      ? { findings: [], ...defined({ chosen: choice.files }), line: choice.line }
      : await built(ports, build, known, choice, settings)
  const all = [...found, ...outcome.findings, ...(C.hasErrors(outcome.findings) ? [] : unnamed(build))]
  const findings = wanted.isStrict ? strict(all) : all
  const unwritten = await writeReports(ports, version)(reports, findings)
  const { value, ...told } = outcome
  const isDone = value !== undefined && !C.hasErrors(findings)
  return { ...told, findings: [...findings, ...unwritten], ...(isDone ? { value } : {}) }
}

export const buildProject =
  (ports: ProjectPorts) =>
  (build: BuildProject): Promise<Result<BuiltImages>> => {
    const work = pipe(
      settingsFor(ports, build),
      TE.flatMapTask((settings) => () => builtWith(ports, build, settings)),
    )
    return answer(work)
  }
