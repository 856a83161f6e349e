/** What is to be built, and with what. */
import type { Destination } from '../../domain/build/destination.ts'
import type { BuildFlags } from '../../domain/build/flags.ts'
import type { Image } from '../../domain/build/image.ts'
import type { Variables } from '../../domain/yaml/interpolate.ts'
import type { Ports } from '../../ports/ports.ts'
import type { RecipePlace } from './recipe.ts'

export type BuildPorts = Pick<
  Ports,
  'builders' | 'buildContexts' | 'clock' | 'commands' | 'files' | 'folders' | 'progress' | 'registry'
>

/**
 * `images` after those they need. `isForced`: nobody asks whether the registry has them. A Dockerfile from the command
 * line gets no name by content. `builder`: what the context says. `asked`: those
 * that flags about one image are about. `variables`: of the project, those of this machine first.
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
  readonly shell: ReadonlyMap<string, string>
  readonly variables: Variables
  readonly place: RecipePlace
  readonly signal: AbortSignal
}

/**
 * `reference`: by digest where a registry has it (`repository:tag@sha256:…`), else by tag. `isKept`: the registry had it.
 * `names`: all that it can be had by; none when it was only built.
 */
export type BuiltOne = {
  readonly image: Image
  readonly reference: string
  readonly names: ReadonlyArray<string>
  readonly digest?: string
  readonly isKept: boolean
}
