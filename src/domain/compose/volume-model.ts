/** What containers mount: volumes, configs, secrets and files of this machine. */
import type { Span } from '../text/source.ts'
import type { Written } from '../text/written.ts'
import type { Annotation } from './annotation.ts'

/**
 * `target` is an absolute path, unique within a service. `volume` is a Compose name; `isEmpty`: nothing of the image is
 * copied into it.
 */
export type Mount = {
  readonly target: string
  readonly readOnly: boolean
  readonly at: Span
  readonly path: string
} & (
  | { readonly _tag: 'Named'; readonly volume: string; readonly subPath?: string; readonly isEmpty?: true }
  | { readonly _tag: 'Anonymous' }
  | { readonly _tag: 'Memory'; readonly size?: string }
  | { readonly _tag: 'Image'; readonly image: string; readonly subPath?: string }
  | { readonly _tag: 'Config'; readonly config: string; readonly mode?: number }
  | { readonly _tag: 'Secret'; readonly secret: string; readonly mode?: number }
  /** `config`: the object of a {@link HostConfig}; `subPath`: the only file. */
  | {
      readonly _tag: 'HostFiles'
      readonly config: string
      readonly items: ReadonlyArray<{ readonly key: string; readonly path: string; readonly mode?: number }>
      readonly subPath?: string
    }
)

/** `source` as written: a path of this machine, relative to the folder of its file. */
export type HostMount = {
  readonly source: string
  readonly target: string
  readonly readOnly: boolean
  readonly at: Span
  readonly path: string
  /** Why it did not become a ConfigMap although `--host-files=config` asks for that. */
  readonly why?: string
  /** Anonymous volumes beneath it, which only kept the image's files from it. */
  readonly hides?: ReadonlyArray<Pick<Mount, 'at' | 'target'>>
}

type Content = { readonly _tag: 'Text'; readonly text: string } | { readonly _tag: 'Bytes'; readonly base64: string }

/** The ConfigMap of the files of this machine that a service mounts. */
export type HostConfig = {
  readonly object: string
  readonly at: Span
  readonly entries: ReadonlyArray<{ readonly key: string; readonly content: Content; readonly at: Span }>
}

/** A claim. `object` is its name in the cluster; an external claim is never created, changed or deleted. */
export type Volume = {
  readonly name: string
  readonly object: string
  readonly isExternal: boolean
  /** Kubernetes quantity; default 1Gi. */
  readonly size: string
  readonly storageClass?: Written<string>
  /** Where these were written; absent for defaults. */
  readonly places?: Readonly<Partial<Record<'object' | 'isExternal' | 'size' | 'init', Span>>>
  readonly annotations: ReadonlyArray<Annotation>
  /** Copy the image's content into the volume while it is empty. */
  readonly init: boolean
  readonly at: Span
  readonly path: string
}

/** A config or secret. `content` is absent when it is external. */
export type StoredFile = {
  readonly name: string
  readonly object: string
  readonly content?: Content
  /** Places of the name, and of the fields that say where the content comes from. */
  readonly places?: ReadonlyArray<Span>
  readonly annotations: ReadonlyArray<Annotation>
  readonly at: Span
}
