/** One image: looks it up in the registry, else builds it and pushes or loads it. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuildFacts } from '../../domain/build/args.ts'
import type { BuildEvent } from '../../domain/build/event.ts'
import type { BuildFailure } from '../../domain/build/failure.ts'
import { buildFindings, textsOf } from '../../domain/build/findings.ts'
import { withoutOwn } from '../../domain/build/flags.ts'
import type { Image } from '../../domain/build/image.ts'
import { referenceOf } from '../../domain/build/names.ts'
import type { Solve, Solved } from '../../domain/build/solve.ts'
import { solveOf } from '../../domain/build/solve-of.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { secretLines } from '../../domain/commands/mask.ts'
import { textOf } from '../../domain/compose/file-content.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { resolvePath } from '../../domain/text/path.ts'
import { STDIN } from '../../domain/text/source.ts'
import type { Builder } from '../../ports/builder.ts'
import { bounded } from '../concurrency/bounded.ts'
import { loadIntoCluster } from './load-image.ts'
import { type ImageLookup, keptDigest, lookUp } from './lookup.ts'
import { placeIn } from './recipe.ts'
import type { BuildPorts, BuildRequest, BuiltOne } from './request.ts'
import { type KnownDockerfile, type Telling, telling } from './telling.ts'
import type { Twins } from './twins.ts'
import { weighing } from './weighing.ts'
import { wrongFiles } from './wrong-files.ts'

export type Connect = TE.TaskEither<BuildFailure, Builder>

/** Values that the images of a run share. */
type ImageBuildContext = { readonly connect: Connect; readonly twins: Twins }

/** `isDocker`: whether the builder will be a Docker daemon. */
type Request = BuildRequest & { readonly isDocker: boolean }

/** Looking through this many folders is enough to suggest a path. */
const mostFolders = 100

/** `texts`: Dockerfiles that findings refer to, by file. `built` is absent when there is no image. */
export type ImageOutcome = {
  readonly built?: BuiltOne
  readonly findings: ReadonlyArray<Diagnostic>
  readonly texts: ReadonlyMap<string, string>
}

type Building = {
  readonly ports: BuildPorts
  readonly request: Request
  readonly looked: ImageLookup
  readonly facts: BuildFacts
}

const failed = (findings: ReadonlyArray<Diagnostic>): ImageOutcome => ({ findings, texts: new Map() })

const dockerfileOf = ({ image, recipe }: ImageLookup, { place }: BuildRequest): KnownDockerfile | undefined =>
  recipe === undefined
    ? undefined
    : {
        file: recipe.dockerfile?.path ?? (place.isDirect ? STDIN : `dockerfile_inline of ${image.name}`),
        text: recipe.text,
      }

const aboutOf = ({ at, name }: Image, { place }: BuildRequest) => ({ name, at: placeIn(place, at) })

/** BuildKit has no image store of its own: an image that is not pushed exists only in its cache. */
const builtOne = ({ looked, request }: Building, { configDigest, digest }: Solved, isKept: boolean): BuiltOne => {
  const isPushed = request.destination.output === 'Push'
  return {
    image: looked.image,
    reference: referenceOf(looked.names, isPushed ? digest : undefined),
    names: request.destination.output !== 'Store' || request.isDocker ? namesFor(looked, request) : [],
    ...defined({ digest, configDigest }),
    isKept,
  }
}

/** A Dockerfile of the command line without a tag has no name: the image is only built. */
const namesFor = ({ names }: ImageLookup, { flags, place }: BuildRequest): ReadonlyArray<string> =>
  place.isDirect === true && flags.tags.length === 0 ? [] : names.names

const solveFor = ({ facts, looked, request }: Building): Checked<Solve> =>
  solveOf(looked.image, {
    ...facts,
    cwd: request.place.cwd,
    dockerfile: looked.recipe?.dockerfile,
    names: namesFor(looked, request),
    output: request.destination.output,
    isDocker: request.isDocker,
    root: request.place.root,
  })

/** Paths in the context, two levels deep, to suggest for a mistyped one. */
const pathsNear = async ({ folders }: BuildPorts, { image, recipe }: ImageLookup): Promise<ReadonlyArray<string>> => {
  if (recipe === undefined) return []
  const top = await folders.list(image.context.value)()
  const below = await bounded(top.folders.slice(0, mostFolders), async (name) => {
    const listed = await folders.list(resolvePath(image.context.value, name))()
    return [...listed.files, ...listed.folders].map((entry) => `${name}/${entry}`)
  })
  return [...top.files, ...top.folders, ...below.flat()]
}

const explained = async (
  failure: BuildFailure,
  { facts, looked, ports, request }: Building,
  told: Telling,
): Promise<ImageOutcome> => {
  const { image } = looked
  const target = facts.flags.target === undefined ? image.target : undefined
  const files = await pathsNear(ports, looked)
  const dockerfile = dockerfileOf(looked, request)
  const { lines, name: step } = told.failed(failure) ?? {}
  const about = {
    image: image.name,
    at: placeIn(request.place, image.at),
    target: target === undefined ? undefined : placeIn(request.place, target.at),
    dockerfile,
    step,
    files,
    ...defined({ lines }),
  }
  const parts = [...told.parts(), ...(failure._tag === 'Failed' ? failure.sources : [])]
  return { findings: buildFindings(failure, about), texts: textsOf(parts, dockerfile) }
}

/** Loads the image into the local cluster, if that is the destination. */
const delivered = async ({ looked, ports, request }: Building, told: Telling): Promise<ReadonlyArray<Diagnostic>> => {
  const { destination } = request
  const cluster = destination.output === 'Store' ? destination.cluster : undefined
  if (cluster === undefined) return []
  told.state('Running', 'loading it into the cluster')
  return loadIntoCluster(ports, cluster, referenceOf(looked.names, undefined), request)
}

const doneWith = ({ names, output }: Solve): string =>
  output === 'Push' && names.length === 0 ? 'built' : { Push: 'pushed', Store: 'built', Load: 'loaded' }[output]

/** Secrets to mask in output. A secret that cannot be read is reported by the build. */
const secretsIn = (ports: BuildPorts, { root, secrets }: Solve): Promise<ReadonlyArray<string>> =>
  bounded(secrets, async ({ source }) => {
    if (source._tag === 'Value') return source.value
    const content = await ports.files.read(source.file, { root })()
    return content._tag === 'File' ? (textOf(content.bytes) ?? '') : ''
  })

/** No image could be built there, so it does not matter which one was tried. */
const isNoBuilder = (failure: BuildFailure): boolean =>
  failure._tag === 'Missing' || failure._tag === 'Unreachable' || (failure._tag === 'Silent' && failure.isAtStart)

const carriedOut = async (building: Building, builder: Builder, solve: Solve): Promise<ImageOutcome> => {
  const { looked, ports, request } = building
  const secrets = secretLines([...(await secretsIn(ports, solve)), ...(builder.secrets ?? [])])
  const told = telling(ports, aboutOf(looked.image, request), dockerfileOf(looked, request), secrets)
  told.state('Running', 'waiting for the builder')
  const weigher = weighing(ports, looked, request)
  const take = (events: ReadonlyArray<BuildEvent>): void => {
    told.take(events)
    weigher.take(events)
  }
  const done: E.Either<BuildFailure, Solved> = await builder.build(solve, take, request.signal)()
  await weigher.ended()
  if (E.isLeft(done)) {
    told.end('Failed', 'failed')
    if (isNoBuilder(done.left)) return failed(buildFindings(done.left, {}))
    const { findings, texts } = await explained(done.left, building, told)
    return { findings: [...findings, ...told.advice()], texts }
  }
  const unloaded = await delivered(building, told)
  told.end(unloaded.length === 0 ? 'Done' : 'Failed', unloaded.length > 0 ? 'failed' : doneWith(solve))
  return {
    findings: [...told.advice(), ...unloaded],
    texts: textsOf(told.parts(), dockerfileOf(looked, request)),
    ...(unloaded.length === 0 ? { built: builtOne(building, done.right, false) } : {}),
  }
}

/**
 * Everything that can be checked before the registry is queried, so that wrong fields are reported whether the image
 * exists or not.
 */
const decided = async (building: Building): Promise<Checked<Solve>> => {
  const solve = solveFor(building)
  const wanted = C.valueOf(solve)
  const { looked, ports } = building
  const wrong = wanted === undefined ? [] : await wrongFiles(ports, looked.image, wanted)
  return C.andThen((known: Solve) => C.note(known, wrong))(solve)
}

/** An image is always built when a rebuild was requested, or when its cache is to be exported. */
const mayBeKept = ({ looked, request }: Building, { cacheExports }: Solve): boolean => {
  const { destination, isForced } = request
  const { noCache, noCacheFilter = [], pull } = looked.image
  const isFresh = isForced || noCache?.value === true || noCacheFilter.length > 0 || pull?.value === true
  return destination.output === 'Push' && !isFresh && cacheExports.length === 0
}

const builtAnew = (building: Building, solve: Solve, connect: Connect): Promise<ImageOutcome> =>
  pipe(
    connect,
    TE.matchE(
      (failure) => T.of(failed(buildFindings(failure, {}))),
      (builder) => () => carriedOut(building, builder, solve),
    ),
  )()

const made = async (building: Building, solve: Solve, { connect, twins }: ImageBuildContext): Promise<ImageOutcome> => {
  if (!mayBeKept(building, solve)) return builtAnew(building, solve, connect)
  const { looked, ports, request } = building
  return twins(looked.names.hashed, async (twin) => {
    const kept = await keptDigest(ports, looked, twin, request.signal)
    if (kept === undefined) return builtAnew(building, solve, connect)
    telling(ports, aboutOf(looked.image, request), undefined, []).end('Done', 'unchanged, the registry has it')
    return { built: builtOne(building, { digest: kept }, true), findings: [], texts: new Map() }
  })
}

/** `references`: those of images built earlier in this run, by path. */
export const buildImage =
  (ports: BuildPorts, request: Request, making: ImageBuildContext) =>
  async (written: Image, references: ReadonlyMap<string, string>): Promise<ImageOutcome> => {
    const { asked, images, variables } = request
    const flags = asked.some(({ path }) => path === written.path) ? request.flags : withoutOwn(request.flags)
    const facts: BuildFacts = { images, built: references, variables, flags }
    const told = telling(ports, aboutOf(written, request), undefined, [])
    told.state('Running', 'reading the context')
    const found = await lookUp(ports, request, written, facts)
    const looked = C.valueOf(found)
    const building = looked === undefined ? undefined : { ports, request, looked, facts }
    const solve = building === undefined ? C.ok(undefined) : await decided(building)
    const wanted = C.valueOf(solve)
    const wrong = [...C.findings(found), ...C.findings<Solve | undefined>(solve)]
    if (building === undefined || wanted === undefined || C.hasErrors(wrong)) {
      told.end('Failed', 'failed')
      return failed(wrong)
    }
    const outcome = await made(building, wanted, making)
    if (outcome.built === undefined) told.end('Failed', 'failed')
    return { ...outcome, findings: [...wrong, ...outcome.findings] }
  }
