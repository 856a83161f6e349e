/**
 * What a `devtool.yml` means, with every notation in one form. Values keep the place they were written at. Variables
 * are replaced, except in commands (the shell expands them) and those that only a running deploy knows, such as
 * `${DEVTOOL_BUILD_API_IMAGE}`.
 */
import type { Image } from '../build/image.ts'
import type { Written } from '../compose/model.ts'
import type { NamedValue, Placed } from '../text/written.ts'
import type { DevContainer, DevForward } from './dev-model.ts'

export type Manifest = {
  /** The file, as the user named it, or the path of the chart or manifests that were found. */
  readonly file: string
  /** The base of relative paths, and the working directory of commands. */
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

/** `name` labels the output; the default is the command's first line. `command` is run by a shell. */
export type ManifestCommand = Placed & { readonly name: string; readonly command: string }

/** Run in this order: commands, then the Compose files. */
export type Deploy = {
  readonly commands: ReadonlyArray<ManifestCommand>
  readonly compose: ReadonlyArray<ComposeSelection>
}

/** `file` is resolved; `services` is absent when all are meant. */
export type ComposeSelection = Placed & {
  readonly file: string
  readonly services?: ReadonlyArray<Written<string>>
}

/** Another repository, deployed into the same namespace first. `file` is the manifest in it. */
export type RepositoryDependency = Placed & {
  readonly name: string
  readonly repository: string
  readonly file?: Written<string>
  readonly branch?: Written<string>
  readonly variables: ReadonlyArray<NamedValue>
  readonly timeoutMs?: Written<number>
  readonly wait: boolean
}

/** External addresses that `endpoints` lists. A command can set `url` through `$DEVTOOL_ENV`. */
export type ExternalEndpoints = Placed & {
  readonly name: string
  readonly icon?: Written<string>
  /** A Markdown file. */
  readonly notes?: Written<string>
  readonly endpoints: ReadonlyArray<Placed & { readonly name: string; readonly url?: string }>
}
