/** What a platform offers beyond a plain cluster, by its API. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

type Namespace = { readonly name: string; readonly status: string }

/** Who may see a preview: its maker, or everybody in the cluster. */
type Preview = { readonly name: string; readonly scope: 'personal' | 'global'; readonly status: string }

/** What a pipeline or preview is made from. */
type Repository = {
  readonly url: string
  readonly branch: string
  readonly file?: string
  readonly variables: ReadonlyMap<string, string>
}

/** A way to the cluster behind the platform. `authority`: PEM. */
type Credentials = {
  readonly server: string
  readonly authority: string
  readonly token: string
  readonly namespace: string
}

export type Platform = {
  readonly credentials: (namespace?: string) => TaskEither<Diagnostic, Credentials>
  /** Those that files of a namespace may use. */
  readonly variables: (namespace: string) => TaskEither<Diagnostic, ReadonlyMap<string, string>>
  readonly namespaces: {
    readonly list: () => TaskEither<Diagnostic, ReadonlyArray<Namespace>>
    readonly create: (name: string) => TaskEither<Diagnostic, void>
    readonly remove: (name: string) => TaskEither<Diagnostic, void>
  }
  readonly previews: {
    readonly list: () => TaskEither<Diagnostic, ReadonlyArray<Preview>>
    readonly deploy: (preview: Pick<Preview, 'name' | 'scope'>, from: Repository) => TaskEither<Diagnostic, void>
    readonly destroy: (name: string) => TaskEither<Diagnostic, void>
    readonly endpoints: (name: string) => TaskEither<Diagnostic, ReadonlyArray<string>>
  }
  readonly pipelines: {
    readonly deploy: (namespace: string, name: string, from: Repository) => TaskEither<Diagnostic, void>
    readonly destroy: (
      namespace: string,
      name: string,
      options: { readonly volumes: boolean },
    ) => TaskEither<Diagnostic, void>
  }
}
