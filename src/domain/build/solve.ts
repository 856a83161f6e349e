/** What a builder is asked for, as data: all that is decided is decided here, before anybody connects. */

/** `type`: registry, inline, … with the attributes of BuildKit's cache of that type. */
export type CacheEntry = { readonly type: string; readonly attrs: ReadonlyMap<string, string> }

/** `Value`: what a variable of this machine holds. Never shown. */
export type SecretSource =
  | { readonly _tag: 'File'; readonly file: string }
  | { readonly _tag: 'Value'; readonly value: string }

/** A folder of this machine (absolute), or a Dockerfile that is only a text. */
export type Served =
  | { readonly _tag: 'Folder'; readonly path: string }
  | { readonly _tag: 'Text'; readonly file: string; readonly text: string }

/** `Push`: to the registries of `names`. `Store`: into the Docker daemon, or, where there is none, nowhere. */
export type BuildOutput = 'Push' | 'Store'

/**
 * `frontend`: attributes of the frontend dockerfile.v0. `served` by the names under which the builder asks: `context`,
 * `dockerfile` and further ones. `names`: full references. `ssh`: files of keys or sockets; none means the agent of this
 * machine. `entitlements`: what the builder must be allowed to allow, as in `network.host`. `root`: nothing that lies outside
 * of this folder, links followed, is opened for the builder.
 */
export type Solve = {
  readonly frontend: ReadonlyMap<string, string>
  readonly served: ReadonlyMap<string, Served>
  readonly names: ReadonlyArray<string>
  readonly output: BuildOutput
  readonly cacheImports: ReadonlyArray<CacheEntry>
  readonly cacheExports: ReadonlyArray<CacheEntry>
  readonly secrets: ReadonlyArray<{ readonly id: string; readonly source: SecretSource }>
  readonly ssh: ReadonlyArray<{ readonly id: string; readonly paths: ReadonlyArray<string> }>
  readonly entitlements?: ReadonlyArray<string>
  readonly root?: string
}

/** `digest` of the manifest, or of the list of manifests, as `sha256:…`. In the Docker daemon it is the image's id. */
export type Solved = { readonly digest?: string; readonly configDigest?: string }
