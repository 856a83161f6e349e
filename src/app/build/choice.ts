/** The images that a command line selects: those of the project's files, or of one Dockerfile. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { chosenImages } from '../../domain/build/choose.ts'
import { type BuildFlags, forOneOnly } from '../../domain/build/flags.ts'
import type { Image } from '../../domain/build/image.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { Chosen } from '../../domain/compose/choose.ts'
import { type Resolved, resolveContext, resolveNamespace, variableToken } from '../../domain/context/resolve.ts'
import { type ContextFields, isPlatformUrl } from '../../domain/context/store.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { LineOf } from '../../domain/diagnostic/lines.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Ports } from '../../ports/ports.ts'
import { loadStore } from '../context/locate.ts'
import type { ProjectOptions } from '../project/choose.ts'
import type { Project } from '../project/project.ts'
import type { Translation } from '../project/translation.ts'
import type { Report } from '../reports/reports.ts'
import type { BuildingPlatform } from './builder-for.ts'
import { type DirectBuild, directImage } from './direct.ts'
import type { BuildRequest } from './request.ts'

/**
 * `project` is opened when its files are needed. `names`: images and services to build. `direct`: a Dockerfile and its
 * context instead. `context`: the context named by a flag or variable.
 */
export type ChosenBuild = {
  readonly wanted: ProjectOptions
  readonly project: () => Promise<Project>
  readonly names: ReadonlyArray<string>
  readonly direct?: DirectBuild | undefined
  readonly flags: BuildFlags
  readonly context?: string | undefined
  readonly reports: ReadonlyArray<Report>
  readonly version: string
  readonly signal: AbortSignal
}

/** `platform`: the context, when it is one and somebody has logged in. */
export type BuildSettings = Pick<ContextFields, 'registry' | 'builder'> & {
  readonly platform?: BuildingPlatform
}

const settingsOf = (shell: ReadonlyMap<string, string>, resolved: Resolved | undefined): BuildSettings => {
  const { name: url = '', origin } = resolved ?? {}
  const stored: ContextFields = resolved?.stored ?? {}
  const token = variableToken(Object.fromEntries(shell), { url, isNamed: origin === 'Flag' }) ?? stored.token
  if (!isPlatformUrl(url) || token === undefined) return stored
  const login = { url, token, ...defined({ authority: stored.authority }) }
  const namespace = resolveNamespace({
    variable: shell.get('DEVTOOL_NAMESPACE'),
    stored: stored.namespace,
    fallback: '',
  })
  return { ...stored, platform: { login, namespace } }
}

/** Settings of the context. No cluster is contacted, and no kubeconfig is needed. */
export const settingsFor = (
  ports: Pick<Ports, 'home'>,
  { context, wanted: { shell } }: ChosenBuild,
): TE.TaskEither<Diagnostic, BuildSettings> => {
  const naming = { flag: context, variable: shell.get('DEVTOOL_CONTEXT'), hasFile: false }
  return pipe(
    loadStore(ports),
    TE.map((store) => settingsOf(shell, resolveContext(naming, store, undefined))),
  )
}

export type ImageChoice = Pick<BuildRequest, 'images' | 'asked' | 'environment' | 'registry' | 'variables'>

/** `line` and `files` are the `line` and `chosen` of a `Result`. */
export type BuildChoice = {
  readonly chosen: Checked<ImageChoice>
  readonly files?: Chosen | undefined
  readonly line: LineOf
}

const chosenDirectly = async (
  ports: Pick<Ports, 'files'>,
  direct: DirectBuild,
  { flags, wanted }: ChosenBuild,
): Promise<BuildChoice> => {
  const { cwd, shell } = wanted
  const variables = (name: string): string | undefined => shell.get(name)
  const chosen = C.map((image: Image) => ({ images: [image], asked: [image], environment: image.name, variables }))(
    await directImage(ports, direct, flags, cwd),
  )
  return { chosen, line: () => undefined }
}

/** The named images of the file. Other errors in the file prevent a build as well. */
const chosenIn = (
  { findings, images, plan, settings, variables = () => undefined }: Translation,
  { flags, names }: ChosenBuild,
): Checked<ImageChoice> => {
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

const chosenFromFiles = async (build: ChosenBuild, registry: string | undefined): Promise<BuildChoice> => {
  const { line, translate } = await build.project()
  const translated = await translate({ defaults: defined({ registry }) })
  return { chosen: chosenIn(translated, build), files: translated.chosen, line }
}

const nothingToBuild = error('DT4027', 'nothing in the file has a build', {
  help: 'add build: to a service or to the manifest, or build a Dockerfile with -f',
})

export const choiceOf = (
  ports: Pick<Ports, 'files'>,
  build: ChosenBuild,
  { registry }: BuildSettings,
): Promise<BuildChoice> =>
  build.direct === undefined ? chosenFromFiles(build, registry) : chosenDirectly(ports, build.direct, build)
