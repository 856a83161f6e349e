/** Builds images: each as soon as the images it depends on are built, several at a time. */
import * as E from 'fp-ts/lib/Either.js'
import type { Image } from '../../domain/build/image.ts'
import { needsIn } from '../../domain/build/needs.ts'
import { sameNames } from '../../domain/build/same-name.ts'
import * as C from '../../domain/checked.ts'
import { type Diagnostic, error, inFileOrder } from '../../domain/diagnostic/diagnostic.ts'
import { buildStep, type StepState } from '../../domain/progress/event.ts'
import type { Builder } from '../../ports/builder.ts'
import { runGraph } from '../concurrency/graph.ts'
import { builderFor, type ChosenBuilder } from './builder-for.ts'
import { hashedOnce } from './hash-once.ts'
import { buildImage, type Connect } from './image.ts'
import type { BuildPorts, BuildRequest, BuiltOne } from './request.ts'
import { openTwins } from './twins.ts'

/** `texts`: Dockerfiles that findings refer to, by file. */
export type ImageBuilds = {
  readonly built: ReadonlyArray<BuiltOne>
  readonly findings: ReadonlyArray<Diagnostic>
  readonly texts: ReadonlyMap<string, string>
}

/** Sending more contexts at a time is no faster. */
const atOnce = 4

const interrupted = error('DT4016', 'the build was interrupted')

/**
 * Connects when the first image is built, and once more after a restart of the builder: a build that was lost before
 * its first event is started again.
 */
const connecting = (chosen: ChosenBuilder, { signal }: BuildRequest) => {
  const opened: Array<Builder> = []
  let connection: ReturnType<Connect> | undefined
  const open = async (): ReturnType<Connect> => {
    const builder = await chosen.connect(signal)()
    if (E.isRight(builder)) opened.push(builder.right)
    return builder
  }
  const connect: Connect = () => {
    connection ??= open()
    return connection
  }
  const build =
    (first: Builder): Builder['build'] =>
    (solve, tell, stop) =>
    async () => {
      const used = opened.length
      let isTold = false
      const telling: typeof tell = (events) => {
        isTold = true
        tell(events)
      }
      const done = await first.build(solve, telling, stop)()
      if (E.isRight(done) || done.left._tag !== 'Lost' || isTold) return done
      if (opened.length === used) connection = undefined
      const again = await connect()
      return E.isLeft(again) ? done : again.right.build(solve, tell, stop)()
    }
  return {
    connect: async (): ReturnType<Connect> =>
      E.map((builder: Builder): Builder => ({ ...builder, build: build(builder) }))(await connect()),
    close: (): void => opened.forEach((builder) => builder.close()),
  }
}

/** Services may share an image: the second one reuses what the first one built. */
const isNamedLike =
  (image: Image) =>
  (other: Image): boolean =>
    image.images[0] !== undefined && image.images[0].value === other.images[0]?.value

const tellStep = ({ clock, progress }: BuildPorts, { name }: Image, state: StepState, detail = ''): void =>
  progress.tell({ _tag: 'Step', id: buildStep(name), title: name, state, detail, atMs: clock.now() })

/** Why there is no image comes before advice on its Dockerfile. */
const errorsFirst = (findings: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => [
  ...findings.filter(({ severity }) => severity === 'error'),
  ...findings.filter(({ severity }) => severity !== 'error'),
]

/** A failed build stops only the images that depend on it, so that one run reports all errors. */
export const buildImages =
  (ports: BuildPorts) =>
  async (request: BuildRequest): Promise<ImageBuilds> => {
    const { images, signal } = request
    const choice = builderFor(ports)(request)
    const chosen = C.valueOf(choice)
    const wrong = [...C.findings(choice), ...sameNames(images, error)]
    if (chosen === undefined || C.hasErrors(wrong)) return { built: [], findings: wrong, texts: new Map() }
    const built = new Map<string, BuiltOne>()
    const found = new Map<string, ReadonlyArray<Diagnostic>>()
    const texts = new Map<string, string>()
    const builder = connecting(chosen, request)
    const hashing = { ...ports, buildContexts: hashedOnce(ports.buildContexts) }
    const making = { connect: builder.connect, twins: openTwins() }
    const one = buildImage(hashing, { ...request, isDocker: chosen.isDocker }, making)
    const run = async ({ image }: { readonly image: Image }): Promise<boolean> => {
      if (signal.aborted) {
        tellStep(ports, image, 'Skipped')
        return false
      }
      const outcome = await one(image, new Map([...built].map(([path, { reference }]) => [path, reference])))
      found.set(image.path, outcome.findings)
      for (const [file, text] of outcome.texts) texts.set(file, text)
      if (outcome.built === undefined) return false
      built.set(image.path, outcome.built)
      return true
    }
    const needsOf = needsIn(images)
    const jobs = images.map((image, index) => ({
      id: image.path,
      after: [...needsOf(image), ...images.slice(0, index).filter(isNamedLike(image))].map(({ path }) => path),
      image,
    }))
    const later = jobs.filter(({ after }, index) => index >= atOnce || after.length > 0)
    for (const { image } of later) tellStep(ports, image, 'Waiting')
    const unbegun = await runGraph(jobs, { atOnce, isLimited: () => true, run })
    const because = signal.aborted ? '' : 'an image that it needs is missing'
    for (const { image } of unbegun) tellStep(ports, image, 'Skipped', because)
    builder.close()
    ports.progress.end()
    return {
      built: images.flatMap(({ path }) => built.get(path) ?? []),
      // Images that share a Dockerfile get the same warnings.
      findings: signal.aborted
        ? [interrupted]
        : errorsFirst(
            inFileOrder(
              [],
              images.flatMap(({ path }) => found.get(path) ?? []),
            ),
          ),
      texts,
    }
  }
