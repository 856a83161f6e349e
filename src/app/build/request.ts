/** What to build, and how. */
import type { Destination } from '../../domain/build/destination.ts'
import type { BuildFlags } from '../../domain/build/flags.ts'
import type { Image } from '../../domain/build/image.ts'
import type { Variables } from '../../domain/yaml/interpolate.ts'
import type { Ports } from '../../ports/ports.ts'
import type { BuildingPlatform } from './builder-for.ts'
import type { RecipePlace } from './recipe.ts'

export type BuildPorts = Pick<
  Ports,
  | 'builders'
  | 'buildContexts'
  | 'clock'
  | 'clusters'
  | 'commands'
  | 'files'
  | 'folders'
  | 'platforms'
  | 'progress'
  | 'registry'
>

/**
 * `images`: each after those it depends on. `isForced`: builds even when the registry has the image. A Dockerfile given
 * on the command line is not named by its content. `builder`: that of the context; `platform`: the platform whose build
 * service is used, if the context is one. `asked`: the images that flags about one image apply to. `variables`: of the
 * project; those of the shell come first.
 */
export type BuildRequest = {
  readonly images: ReadonlyArray<Image>
  readonly asked: ReadonlyArray<Image>
  readonly environment: string
  readonly registry?: string | undefined
  readonly flags: BuildFlags
  readonly isForced: boolean
  readonly destination: Destination
  readonly builder?: string | undefined
  readonly platform?: BuildingPlatform | undefined
  readonly shell: ReadonlyMap<string, string>
  readonly variables: Variables
  readonly place: RecipePlace
  readonly signal: AbortSignal
}

/**
 * `reference`: with the digest when the image is in a registry (`repository:tag@sha256:…`), else the tag only.
 * `isKept`: the registry had it. `names`: all names of the image; empty when it was only built.
 */
export type BuiltOne = {
  readonly image: Image
  readonly reference: string
  readonly names: ReadonlyArray<string>
  readonly digest?: string
  readonly configDigest?: string
  readonly isKept: boolean
}
