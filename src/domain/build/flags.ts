/** The build options of the command line. */
import * as E from 'fp-ts/lib/Either.js'
import type { Code } from '../diagnostic/codes.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { checkImage } from '../text/image.ts'
import type { Span } from '../text/source.ts'
import type { Image } from './image.ts'
import { repositoryOf } from './names.ts'

/** Texts as written: `secrets` as `id=…,src=…`, cache entries as a reference or `type=…,ref=…`. */
export type BuildFlags = {
  readonly noCache: boolean
  readonly secrets: ReadonlyArray<string>
  readonly exportCache: ReadonlyArray<string>
  readonly cacheFrom: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly platforms: ReadonlyArray<string>
  readonly buildArgs: ReadonlyMap<string, string>
  readonly target?: string
  /** Equal content gives an equal digest on every machine. */
  readonly isReproducible?: boolean
}

/** A mistake in a file has a place; a mistake on the command line is a usage error. */
export const optionCode = (at: Span | undefined): Code => (at === undefined ? 'DT2001' : 'DT4031')

export const noFlags: BuildFlags = {
  noCache: false,
  secrets: [],
  exportCache: [],
  cacheFrom: [],
  tags: [],
  platforms: [],
  buildArgs: new Map(),
}

/** DT4025 when a flag for a single image is used with several. */
export const forOneOnly = (flags: BuildFlags, asked: ReadonlyArray<Pick<Image, 'name'>>): ReadonlyArray<Diagnostic> => {
  if (asked.length < 2) return []
  const given = [
    ...(flags.target === undefined ? [] : ['--target']),
    ...(flags.tags.length === 0 ? [] : ['--tag']),
    ...(flags.exportCache.length === 0 ? [] : ['--export-cache']),
  ]
  const names = asked.map(({ name }) => name).join(', ')
  return given.map((flag) =>
    error('DT4025', `${flag} applies to a single image, not ${names}`, { help: 'name one image' }),
  )
}

const unusableTag = (tag: string, isPushing: boolean): ReadonlyArray<Diagnostic> => {
  const help = 'write registry.example.com/name:tag'
  const checked = checkImage(tag)
  if (E.isLeft(checked)) return [error('DT2001', `--tag: ${checked.left.message}`, { help })]
  if (tag.includes('@')) {
    return [error('DT2001', `--tag: "${tag}" has a digest, which is only known once the image is built`, { help })]
  }
  // It would be pushed to Docker Hub's official images.
  if (!isPushing || repositoryOf(tag).includes('/')) return []
  return [
    error('DT4022', `--tag: "${tag}" does not name a registry to push to`, { help: `${help}, or add --push=false` }),
  ]
}

/** Finds DT2001, DT4022. */
export const unusableTags = ({ tags }: BuildFlags, isPushing: boolean): ReadonlyArray<Diagnostic> =>
  tags.flatMap((tag) => unusableTag(tag, isPushing))

/** The flags that also apply to the images that the requested one needs. */
export const withoutOwn = ({ target: _target, ...flags }: BuildFlags): BuildFlags => ({
  ...flags,
  tags: [],
  exportCache: [],
})
