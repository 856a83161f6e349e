/** A request to a builder, as data: all decisions are made here, before connecting to anything. */

/** `type`: registry, inline, … with the attributes of that type of BuildKit cache. */
export type CacheEntry = { readonly type: string; readonly attrs: ReadonlyMap<string, string> }

/** `Value`: the content of a variable on this machine. Never shown. */
export type SecretSource =
  | { readonly _tag: 'File'; readonly file: string }
  | { readonly _tag: 'Value'; readonly value: string }

/** A local folder (absolute), or an inline Dockerfile. */
export type Served =
  | { readonly _tag: 'Folder'; readonly path: string }
  | { readonly _tag: 'Text'; readonly file: string; readonly text: string }

/**
 * `Push`: to the registries of `names`. `Store`: into the store of the builder, if it has one. `Load`: into the Docker
 * daemon of this machine, whatever the builder.
 */
export type BuildOutput = 'Push' | 'Store' | 'Load'

/**
 * `frontend`: attributes of the frontend dockerfile.v0. `served`: by the names that the builder asks for: `context`,
 * `dockerfile` and additional ones. `names`: full references. `ssh`: key files or sockets; none means this machine's
 * SSH agent. `entitlements`: privileges that the builder has to be allowed to grant, such as `network.host`. `root`:
 * nothing outside this folder, after following links, is opened for the builder.
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
  /** Times of files in layers that are later than SOURCE_DATE_EPOCH become that moment. */
  readonly rewritesTimes?: boolean
}

/** `digest` of the manifest or the index, as `sha256:…`. In the Docker daemon it is the image id. */
export type Solved = { readonly digest?: string; readonly configDigest?: string }
