/** An image to build, whichever file defines it, with every notation in one form. */

import type { Span } from '../text/source.ts'
import type { NamedValue, Placed, Written } from '../text/written.ts'

/**
 * An entry of a manifest's `build`, or the `build` of a service. `path` identifies it: `build.api`,
 * `services.api.build`. Paths are resolved, except `dockerfile`, which is looked for in the context first.
 */
export type Image = Placed & {
  readonly name: string
  /** A folder, or a URL that the builder fetches. */
  readonly context: Written<string>
  readonly dockerfile?: Written<string>
  readonly dockerfileInline?: Written<string>
  /** References to push to; without any, a name is generated from the environment. */
  readonly images: ReadonlyArray<Written<string>>
  /** Additional references, besides the image's first name. */
  readonly tags?: ReadonlyArray<Written<string>>
  readonly target?: Written<string>
  readonly args: ReadonlyArray<NamedValue>
  readonly secrets: ReadonlyArray<BuildSecret>
  /** Each is a reference or an entry in BuildKit's notation (`type=registry,ref=…`). */
  readonly cacheFrom: ReadonlyArray<Written<string>>
  readonly exportCache: ReadonlyArray<Written<string>>
  /** Names of other entries of the same section; there are no cycles. */
  readonly dependsOn: ReadonlyArray<Written<string>>
  /** Folders, URLs, or `service:NAME` for the image of another service. */
  readonly additionalContexts: ReadonlyArray<NamedValue>
  readonly ssh: ReadonlyArray<NamedValue>
  readonly labels: ReadonlyArray<NamedValue>
  readonly platforms: ReadonlyArray<Written<string>>
  readonly extraHosts: ReadonlyArray<NamedValue>
  readonly network?: Written<string>
  readonly noCache?: Written<boolean>
  /** Stages that are built without cache. */
  readonly noCacheFilter?: ReadonlyArray<Written<string>>
  readonly pull?: Written<boolean>
  /** Parameters of the attestation, or `true`, `false`, `mode=max`. */
  readonly provenance?: Written<string>
  readonly sbom?: Written<string>
  /** Bytes, more than 0. */
  readonly shmSize?: Written<number>
  /** By kernel name, as `SOFT:HARD`; -1 means unlimited. */
  readonly ulimits?: ReadonlyArray<NamedValue>
  /** Privileges that RUN steps may request, such as `network.host`. */
  readonly entitlements?: ReadonlyArray<Written<string>>
}

/** `source`: where the file or variable is written, when that is not at the secret itself. */
export type BuildSecret = Placed & { readonly id: string; readonly source?: Span } & (
    | { readonly _tag: 'File'; readonly file: string }
    | { readonly _tag: 'Variable'; readonly variable: string }
  )
