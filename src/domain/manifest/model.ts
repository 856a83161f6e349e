/**
 * What a `devtool.yml` means, with every notation brought to one form. Values keep the place they were written at.
 * Variables are replaced, except in commands (their shell has them) and those that only a running deploy knows, such as
 * `${DEVTOOL_BUILD_API_IMAGE}`, which stay as they are written.
 */
import type { Image } from '../build/image.ts'
import type { Written } from '../compose/model.ts'
import type { NamedValue, Placed } from '../text/written.ts'
import type { DevContainer, DevForward } from './dev-model.ts'

export type Manifest = {
  /** The file, as it was named. For a chart or manifests that were found, the path of those. */
  readonly file: string
  /** The folder that relative paths and commands start from. */
  readonly folder: string
  readonly name?: Written<string>
  readonly build: ReadonlyArray<Image>
  readonly deploy: Deploy
  readonly dependencies: ReadonlyArray<RepositoryDependency>
  readonly destroy: ReadonlyArray<ManifestCommand>
  readonly dev: ReadonlyArray<DevContainer>
  readonly external: ReadonlyArray<ExternalEndpoints>
  readonly forward: ReadonlyArray<DevForward>
}

/** `name` is what the output is shown under; without one, the first line of the command. `command` is text for a shell. */
export type ManifestCommand = Placed & { readonly name: string; readonly command: string }

/** Run in this order: commands, then the Compose files. */
export type Deploy = {
  readonly commands: ReadonlyArray<ManifestCommand>
  readonly compose: ReadonlyArray<ComposeSelection>
}

/** `file` is resolved; `services` is absent when all of them are meant. */
export type ComposeSelection = Placed & {
  readonly file: string
  readonly services?: ReadonlyArray<Written<string>>
}

/** Another repository, deployed into the same namespace before this one. `file` is the manifest in it. */
export type RepositoryDependency = Placed & {
  readonly name: string
  readonly repository: string
  readonly file?: Written<string>
  readonly branch?: Written<string>
  readonly variables: ReadonlyArray<NamedValue>
  readonly timeoutMs?: Written<number>
  readonly wait: boolean
}

/** Addresses outside of the environment that `endpoints` lists. `url` may come from a command, by `$DEVTOOL_ENV`. */
export type ExternalEndpoints = Placed & {
  readonly name: string
  readonly icon?: Written<string>
  /** A Markdown file. */
  readonly notes?: Written<string>
  readonly endpoints: ReadonlyArray<Placed & { readonly name: string; readonly url?: string }>
}
