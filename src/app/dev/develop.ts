/**
 * The development containers that `up` starts for a project, which is deployed first when their workloads are missing.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { namedImages } from '../../domain/build/image-variables.ts'
import * as C from '../../domain/checked.ts'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Observed } from '../../domain/cluster/live.ts'
import { buildVariables } from '../../domain/commands/variables.ts'
import { namesBuiltImages, withBuiltImages } from '../../domain/dev/built-images.ts'
import { chooseNames } from '../../domain/dev/choose.ts'
import { unfit, unfitDeployed } from '../../domain/dev/missing.ts'
import { devOfService } from '../../domain/dev/of-compose.ts'
import { developmentRights, refusedRights } from '../../domain/dev/rights.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { DevContainer } from '../../domain/manifest/dev-model.ts'
import type { Ports } from '../../ports/ports.ts'
import { missingRights } from '../context/rights.ts'
import type { Target } from '../context/target.ts'
import { type CommandWorld, deployProject, withImages } from '../deploy/deploy-project.ts'
import { type PlacedProject, validProject } from '../deploy/valid.ts'
import type { Project } from '../project/project.ts'
import type { Translation } from '../project/translation.ts'
import { askName } from './ask-name.ts'
import { hybridFolder } from './hybrid.ts'
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

const oneFinding = (found: Diagnostic): Findings => [found]

/** A service that no section mentions is developed when it is named, or when there are no sections at all. */
const devsOf = (
  names: ReadonlyArray<string>,
  { manifest, services = [] }: Translation,
): ReadonlyArray<DevContainer> => {
  const sections = manifest?.dev ?? []
  const written = new Set(sections.map(({ name }) => name))
  const isOnlySections = names.length === 0 && sections.length > 0
  return [...sections, ...(isOnlySections ? [] : services.filter(({ name }) => !written.has(name)).map(devOfService))]
}

const namesOf = (devs: ReadonlyArray<DevContainer>): ReadonlyArray<string> => devs.map(({ name }) => name)

/** Whether the files are valid and have what is named, which needs no cluster. */
export const areNamesKnown = ({
  names,
  ...from
}: PlacedProject & Pick<DevelopRequest, 'names'>): TE.TaskEither<Findings, unknown> =>
  pipe(
    validProject(from),
    TE.flatMapEither((found) => E.mapLeft(oneFinding)(chooseNames(namesOf(devsOf(names, found)), names))),
  )

/** Asks when the choice is ambiguous. */
const chosen = (
  ports: Pick<Ports, 'prompt'>,
  names: ReadonlyArray<string>,
  found: Translation,
): TE.TaskEither<Diagnostic, ReadonlyArray<DevContainer>> => {
  const devs = devsOf(names, found)
  const known = namesOf(devs)
  const ask = TE.map((name: string) => [name])(askName(ports, known))
  return pipe(
    TE.fromEither(chooseNames(known, names)),
    TE.flatMap((some) => (some === undefined ? ask : TE.of(some))),
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

/**
 * `observed`: the namespace, unless the project will be deployed. Nothing is written before all permissions are
 * checked.
 */
const looked = (request: DevelopRequest): TE.TaskEither<Findings, { readonly observed: Observed | undefined }> => {
  const { isDeploying, signal, target } = request
  const observed = TE.mapLeft(oneFinding)(observe({ target, signal }))
  return pipe(
    TE.Do,
    TE.apS('rights', checkRights(request)),
    TE.apS('observed', isDeploying ? TE.of<Findings, Observed | undefined>(undefined) : observed),
  )
}

/** Whether `up` synchronises all host volumes, which deploy leaves out. */
const areHostVolumesThere = ({ services = [] }: Translation, devs: ReadonlyArray<DevContainer>): boolean => {
  const remotes = new Set(devs.flatMap(({ folders, name }) => folders.map(({ remote }) => `${name}:${remote}`)))
  return services.every(({ hostMounts, name }) => hostMounts.every(({ target }) => remotes.has(`${name}:${target}`)))
}

/**
 * Says `deployed` in the step of a service, since the development container's step has the same title. With
 * `isMounted`, hides the warning about host volumes, since these will be synchronised.
 */
const sayingDeployed = (progress: Ports['progress'], isMounted: boolean): Ports['progress'] => ({
  ...progress,
  tell: (event) => {
    if (isMounted && event._tag === 'Found' && event.diagnostic.code === 'DT1101') return
    const isDone = event._tag === 'Step' && event.state === 'Done' && event.detail === ''
    progress.tell(isDone ? { ...event, detail: 'deployed' } : event)
  },
})

const deployOf = ({ commandWorld, isYes, project, signal, target, version }: DevelopRequest) =>
  ({
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
  }) as const

const deploy = (ports: DevelopPorts, request: DevelopRequest, isMounted: boolean): TE.TaskEither<Findings, void> =>
  pipe(
    TE.fromTask<Awaited<ReturnType<ReturnType<typeof deployProject>>>, Findings>(() =>
      deployProject({ ...ports, progress: sayingDeployed(ports.progress, isMounted) })(deployOf(request)),
    ),
    TE.flatMapEither(({ findings }) => (C.hasErrors(findings) ? E.left(findings) : E.right(undefined))),
  )

type Looked = ChosenDevs & { readonly translation: Translation }

/**
 * Deploys when a workload is missing, and only if that creates it, so that an `up` that cannot start leaves nothing
 * behind.
 */
const withWorkloads = (
  ports: DevelopPorts,
  request: DevelopRequest,
  { devs, observed, translation }: Looked,
): TE.TaskEither<Findings, Observed | undefined> => {
  if (observed !== undefined) {
    if (unfit(devs, observed).length === 0) return TE.of(observed)
    const found = unfitDeployed(devs, translation, observed)
    if (found.length > 0) return TE.left(found)
  }
  return TE.map(() => undefined)(deploy(ports, request, areHostVolumesThere(translation, devs)))
}

/** Adds the references of images that a section names, which are built if they are missing. */
const withReferences =
  (ports: DevelopPorts, request: DevelopRequest, translation: Translation) =>
  (devs: ReadonlyArray<DevContainer>): TE.TaskEither<Findings, ReadonlyArray<DevContainer>> =>
    devs.some(namesBuiltImages)
      ? pipe(
          withImages(ports, deployOf(request), translation),
          TE.mapBoth(
            ({ findings }): Findings => findings,
            ({ built, manifest }) =>
              devs.map(withBuiltImages(buildVariables(namedImages(manifest?.build ?? [], built)))),
          ),
        )
      : TE.of(devs)

const notAFolder = ({ at, local, path }: DevContainer['folders'][number], found: 'Missing' | 'File'): Diagnostic =>
  error('DT5017', `${local} ${found === 'Missing' ? 'does not exist' : 'is not a folder'}`, {
    at,
    path,
    help: 'sync names folders of this machine; files alone belong to secrets',
  })

const noFolderHere = (dev: DevContainer, folder: string): Diagnostic => {
  const { at, path } = dev.workdir ?? dev
  return error('DT5032', `${folder} is not a folder of this machine`, {
    at,
    path,
    help: 'with mode: hybrid the command runs on this machine, in workdir; it starts from the folder of the manifest',
  })
}

/**
 * A section may only name folders. A Compose service may mount files as well, but only those of the project are
 * synchronised: others, such as /proc or /, are meant for the machine that runs it. Hybrid mode uses the files where
 * they are. Finds DT5017 and DT5032 in a section.
 */
const withFolders =
  ({ files }: Pick<Ports, 'files'>, { manifest }: Translation) =>
  (dev: DevContainer): TE.TaskEither<Diagnostic, DevContainer> =>
  async () => {
    if (dev.mode === 'hybrid') {
      const folder = hybridFolder(dev)
      const kind = await files.kind(folder)()
      return kind === 'Folder' ? E.right({ ...dev, folders: [] }) : E.left(noFolderHere(dev, folder))
    }
    const isSection = manifest?.dev.includes(dev) ?? false
    const folders: Array<DevContainer['folders'][number]> = []
    for (const folder of dev.folders) {
      const isMeant = isSection || (await files.isInside(folder.local, folder.at.source.folder)())
      const kind = isMeant ? await files.kind(folder.local)() : undefined
      if (kind === 'Folder' || (kind === 'File' && !isSection)) folders.push(folder)
      else if (isSection) return E.left(notAFolder(folder, kind === 'File' ? 'File' : 'Missing'))
    }
    return E.right({ ...dev, folders })
  }

/** `observed`: the namespace, unless the project has just been deployed. */
export type ChosenDevs = { readonly devs: ReadonlyArray<DevContainer>; readonly observed: Observed | undefined }

const developed = (
  ports: DevelopPorts,
  names: ReadonlyArray<string>,
  translation: Translation,
): TE.TaskEither<Findings, ReadonlyArray<DevContainer>> =>
  pipe(
    chosen(ports, names, translation),
    TE.flatMap(TE.traverseArray(withFolders(ports, translation))),
    TE.mapLeft(oneFinding),
  )

/** The chosen development containers, with their workloads. */
export const development =
  (ports: DevelopPorts) =>
  (request: DevelopRequest): TE.TaskEither<Findings, ChosenDevs> =>
    pipe(
      validProject(request),
      TE.bindTo('translation'),
      TE.bind('written', ({ translation }) => developed(ports, request.names, translation)),
      TE.bind('looked', () => looked(request)),
      TE.bind('observed', ({ looked: { observed }, translation, written }) =>
        withWorkloads(ports, request, { devs: written, translation, observed }),
      ),
      TE.bind('devs', ({ translation, written }) => withReferences(ports, request, translation)(written)),
    )
