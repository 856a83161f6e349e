/** An image that is to be built, whichever file says so, with every notation brought to one form. */

import type { NamedValue, Placed, Written } from '../text/written.ts'

/**
 * An entry of `build` of a manifest, or the `build` of a service. `path` tells them apart: `build.api`, `services.api.build`.
 * Paths are resolved, but for `dockerfile`, which is looked for in the context first.
 */
export type Image = Placed & {
  readonly name: string
  /** A folder, or a URL that the builder fetches. */
  readonly context: Written<string>
  readonly dockerfile?: Written<string>
  readonly dockerfileInline?: Written<string>
  /** References to push to; without one its name follows from the environment. */
  readonly images: ReadonlyArray<Written<string>>
  /** Further references, beside the first name, wherever that comes from. */
  readonly tags?: ReadonlyArray<Written<string>>
  readonly target?: Written<string>
  readonly args: ReadonlyArray<NamedValue>
  readonly secrets: ReadonlyArray<BuildSecret>
  /** Each a reference, or entries as BuildKit writes them (`type=registry,ref=…`). */
  readonly cacheFrom: ReadonlyArray<Written<string>>
  readonly exportCache: ReadonlyArray<Written<string>>
  /** Names of other entries of the same section, without circles. */
  readonly dependsOn: ReadonlyArray<Written<string>>
  /** Folders, URLs, or `service:NAME` for what is built for another service. */
  readonly additionalContexts: ReadonlyArray<NamedValue>
  readonly ssh: ReadonlyArray<NamedValue>
  readonly labels: ReadonlyArray<NamedValue>
  readonly platforms: ReadonlyArray<Written<string>>
  readonly extraHosts: ReadonlyArray<NamedValue>
  readonly network?: Written<string>
  readonly noCache?: Written<boolean>
  readonly pull?: Written<boolean>
  /** Parameters of the attestation, or `true`, `false`, `mode=max`. */
  readonly provenance?: Written<string>
  readonly sbom?: Written<string>
  /** Bytes, more than none. */
  readonly shmSize?: Written<number>
  /** By names of the kernel, as `SOFT:HARD`; -1 means no limit. */
  readonly ulimits?: ReadonlyArray<NamedValue>
  /** What RUN steps may ask for, as in `network.host`. */
  readonly entitlements?: ReadonlyArray<Written<string>>
}

export type BuildSecret = Placed & { readonly id: string } & (
    | { readonly _tag: 'File'; readonly file: string }
    | { readonly _tag: 'Variable'; readonly variable: string }
  )
