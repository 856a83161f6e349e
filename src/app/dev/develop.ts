/** What `up` is about: the development containers of a project, deployed first when their workloads are missing. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as C from '../../domain/checked.ts'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { ambiguous, chooseNames } from '../../domain/dev/choose.ts'
import { devOfService } from '../../domain/dev/of-compose.ts'
import { developmentRights, refusedRights } from '../../domain/dev/rights.ts'
import { chooseWorkload } from '../../domain/dev/workload.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { DevContainer } from '../../domain/manifest/dev-model.ts'
import type { Ports } from '../../ports/ports.ts'
import { missingRights } from '../context/rights.ts'
import type { Target } from '../context/target.ts'
import { type CommandWorld, deployProject } from '../deploy/deploy-project.ts'
import type { Project } from '../project/project.ts'
import type { Translation } from '../project/translation.ts'
import { observe } from './rounds.ts'

export type DevelopRequest = {
  readonly project: Project
  readonly target: Target
  readonly names: ReadonlyArray<string>
  readonly commandWorld: CommandWorld
  /** Deploys even if nothing is missing. */
  readonly isDeploying: boolean
  readonly isYes: boolean
  readonly version: string
  readonly signal: AbortSignal
}

export type DevelopPorts = Parameters<typeof deployProject>[0] & Pick<Ports, 'clock' | 'progress' | 'prompt'>

type Findings = ReadonlyArray<Diagnostic>

const translated = ({ project, target }: DevelopRequest): TE.TaskEither<Findings, Translation> =>
  pipe(
    TE.fromTask<Translation, Findings>(() =>
      project.translate({
        settings: { ...project.wanted.settings, namespace: target.namespace },
        defaults: target.settings,
        withOrigins: true,
      }),
    ),
    TE.filterOrElse(
      ({ findings }) => !C.hasErrors(findings),
      ({ findings }) => findings,
    ),
  )

/**
 * Asks when it is not clear which. A service that no section mentions is developed when it is named, or when there is
 * no section at all.
 */
const chosen = (
  { prompt }: Pick<Ports, 'prompt'>,
  names: ReadonlyArray<string>,
  { manifest, services = [] }: Translation,
): TE.TaskEither<Diagnostic, ReadonlyArray<DevContainer>> => {
  const sections = manifest?.dev ?? []
  const written = new Set(sections.map(({ name }) => name))
  const isOnlySections = names.length === 0 && sections.length > 0
  const others = isOnlySections ? [] : services.filter(({ name }) => !written.has(name)).map(devOfService)
  const devs = [...sections, ...others]
  const known = devs.map(({ name }) => name)
  const ask = pipe(
    prompt.choose(
      { text: 'which development container?', flag: 'its name' },
      known.map((name) => ({ value: name, text: name })),
    ),
    TE.mapBoth(
      (found) => (found.code === 'DT2101' ? ambiguous(known) : found),
      (name) => [name],
    ),
  )
  return pipe(
    TE.fromEither(chooseNames(known, names)),
    TE.flatMap((found) => (found === undefined ? ask : TE.of(found))),
    TE.map((wanted) => devs.filter(({ name }) => wanted.includes(name))),
  )
}

const checkRights = ({ signal, target }: DevelopRequest): TE.TaskEither<Findings, void> =>
  pipe(
    missingRights(target, developmentRights, signal),
    TE.mapLeft((failure): Findings => [failureDiagnostic(failure)]),
    TE.flatMapEither((missing) => {
      const found = refusedRights(target.namespace, missing)
      return found.length === 0 ? E.right(undefined) : E.left(found)
    }),
  )

/** A workload of a section that does not make its own is missing. */
const lacksWorkload = (
  ports: DevelopPorts,
  { signal, target }: DevelopRequest,
  devs: ReadonlyArray<DevContainer>,
): TE.TaskEither<Findings, boolean> =>
  pipe(
    observe({ ports, target, signal }),
    TE.mapBoth(
      (found): Findings => [found],
      (observed) => devs.some((dev) => !dev.autocreate && E.isLeft(chooseWorkload(dev, observed))),
    ),
  )

const deploy = (ports: DevelopPorts, request: DevelopRequest): TE.TaskEither<Findings, void> => {
  const { commandWorld, isYes, project, signal, target, version } = request
  const asked = {
    project,
    target,
    commandWorld,
    isYes,
    version,
    signal,
    interrupted: signal,
    mode: 'Apply',
    buildsAll: false,
    reports: [],
    isWaiting: false,
    failsFast: false,
    jobs: { _tag: 'Changed' },
    force: false,
    isReproducible: false,
    breaksLock: false,
    isAtomic: false,
    lockWaitMs: 0,
    takesOver: false,
  } as const
  return pipe(
    TE.fromTask<Awaited<ReturnType<ReturnType<typeof deployProject>>>, Findings>(() => deployProject(ports)(asked)),
    TE.flatMapEither(({ findings }) => (C.hasErrors(findings) ? E.left(findings) : E.right(undefined))),
  )
}

/**
 * Only folders can be sent. Of a Compose service, those of the project: the others are meant for the machine that runs
 * it, such as /proc or /.
 */
const withFolders =
  ({ files }: Pick<Ports, 'files'>, { manifest }: Translation) =>
  (dev: DevContainer): TE.TaskEither<never, DevContainer> =>
    TE.fromTask(async () => {
      const isSection = manifest?.dev.includes(dev) ?? false
      const folders: Array<DevContainer['folders'][number]> = []
      for (const folder of dev.folders) {
        const isMeant = isSection || (await files.isInside(folder.local, folder.at.source.folder)())
        if (isMeant && (await files.kind(folder.local)()) === 'Folder') folders.push(folder)
      }
      return { ...dev, folders }
    })

/** The chosen ones. Nothing is written before all permissions are there. */
export const development =
  (ports: DevelopPorts) =>
  (request: DevelopRequest): TE.TaskEither<Findings, ReadonlyArray<DevContainer>> =>
    pipe(
      translated(request),
      TE.flatMap((translation) =>
        pipe(
          chosen(ports, request.names, translation),
          TE.flatMap(TE.traverseArray(withFolders(ports, translation))),
          TE.mapLeft((found): Findings => [found]),
        ),
      ),
      TE.tap(() => checkRights(request)),
      TE.tap((devs) =>
        pipe(
          request.isDeploying ? TE.of<Findings, boolean>(true) : lacksWorkload(ports, request, devs),
          TE.flatMap((isNeeded) => (isNeeded ? deploy(ports, request) : TE.of(undefined))),
        ),
      ),
    )
