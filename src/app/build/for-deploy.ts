/** The images a deploy needs: builds those that are missing, or only looks them up. */
import { chosenImages } from '../../domain/build/choose.ts'
import { destinationOf, pulledAs, unpushable } from '../../domain/build/destination.ts'
import { noFlags } from '../../domain/build/flags.ts'
import { localCluster } from '../../domain/build/local-cluster.ts'
import { referenceOf } from '../../domain/build/names.ts'
import * as C from '../../domain/checked.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { ifDefined } from '../../domain/object/defined.ts'
import { isRun } from '../../domain/platform/run/build-access.ts'
import type { Target } from '../context/target.ts'
import type { ProjectOptions } from '../project/choose.ts'
import type { Translation } from '../project/translation.ts'
import { builderFor } from './builder-for.ts'
import { hashedOnce } from './hash-once.ts'
import { buildImages } from './images.ts'
import { digestThere, lookUp } from './lookup.ts'
import { placeFor } from './recipe.ts'
import type { BuildPorts, BuildRequest } from './request.ts'

/** `isForced`: builds all images. `isTrying`: builds none. `isReproducible`: as in `BuildFlags`. */
export type DeployBuild = {
  readonly wanted: ProjectOptions
  readonly target: Target
  readonly isForced: boolean
  readonly isTrying: boolean
  readonly isReproducible: boolean
  readonly signal: AbortSignal
}

/** `built`: the references for the cluster, by path of the image. `texts`: as in `BuiltImages`. */
export type DeployImages = {
  readonly built: ReadonlyMap<string, string>
  readonly findings: ReadonlyArray<Diagnostic>
  readonly texts: ReadonlyMap<string, string>
}

const requestOf = (
  ports: BuildPorts,
  translated: Translation,
  { isForced, isReproducible, target, signal, wanted }: DeployBuild,
): BuildRequest => {
  const { plan, settings, variables = () => undefined } = translated
  const images = C.valueOf(chosenImages(translated.images, []))?.images ?? []
  const { builder, cluster, context, namespace } = target
  const platform = ifDefined(target.platform, (login) => ({ login, namespace }))
  const chosen = C.valueOf(builderFor(ports)({ shell: wanted.shell, builder, platform }))
  const local = localCluster(context, cluster.server)
  return {
    images,
    asked: images,
    environment: plan?.environment ?? '',
    registry: settings?.registry,
    flags: { ...noFlags, isReproducible },
    isForced,
    destination: destinationOf(settings?.registry, local, chosen?.isDocker === true),
    builder,
    platform,
    shell: wanted.shell,
    variables,
    place: placeFor(wanted),
    signal,
  }
}

/** The digests of images that exist, and for the others the names they would get. */
const lookedFor = async (ports: BuildPorts, request: BuildRequest): Promise<DeployImages> => {
  const built = new Map<string, string>()
  const findings: Array<Diagnostic> = []
  const { flags, images, variables } = request
  const hashing = { ...ports, buildContexts: hashedOnce(ports.buildContexts) }
  for (const image of images) {
    const found = await lookUp(hashing, request, image, { images, built, variables, flags })
    for (const one of C.findings(found)) findings.push(one)
    const looked = C.valueOf(found)
    if (looked === undefined) continue
    const digest = await digestThere(ports, looked, request.signal)
    const reference = referenceOf(looked.names, digest)
    if (digest === undefined)
      ports.progress.tell({ _tag: 'Said', text: `${image.name} would be built as ${reference}` })
    built.set(image.path, reference)
  }
  return { built, findings, texts: new Map() }
}

const forCluster = (built: ReadonlyMap<string, string>, registry: string | undefined, { pullRegistry }: Target) =>
  pullRegistry === undefined || registry === undefined
    ? built
    : new Map([...built].map(([path, reference]) => [path, pulledAs(reference, registry, pullRegistry)]))

/** `undefined` when there is nothing to build. */
export const imagesForDeploy =
  (ports: BuildPorts) =>
  async (translated: Translation, wanted: DeployBuild): Promise<DeployImages | undefined> => {
    if (translated.images.length === 0) return undefined
    const request = requestOf(ports, translated, wanted)
    const { destination, images, registry } = request
    const unplaced = unpushable(images, destination, registry, isRun(wanted.wanted.shell))
    if (unplaced.length > 0) return { built: new Map(), findings: unplaced, texts: new Map() }
    if (wanted.isTrying) {
      const looked = await lookedFor(ports, request)
      return { ...looked, built: forCluster(looked.built, registry, wanted.target) }
    }
    const { built, findings, texts } = await buildImages(ports)(request)
    const references = new Map(built.map(({ image, reference }) => [image.path, reference]))
    return { built: forCluster(references, registry, wanted.target), findings, texts }
  }
