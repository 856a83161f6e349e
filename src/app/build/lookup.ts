/**
 * Looks up an image: its inputs, its names (one of them a hash of the inputs), and whether the registry has it already.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuildFacts } from '../../domain/build/args.ts'
import { contentHash } from '../../domain/build/content-hash.ts'
import { contextsOf } from '../../domain/build/contexts.ts'
import type { Image } from '../../domain/build/image.ts'
import { withBuilt } from '../../domain/build/late.ts'
import { type ImageNames, namesOf, repositoryOf } from '../../domain/build/names.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { type Diagnostic, placed } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { placeOf } from '../../domain/text/source.ts'
import { findRecipe, type Recipe } from './recipe.ts'
import type { BuildPorts, BuildRequest } from './request.ts'

type LookupPorts = Pick<BuildPorts, 'files' | 'buildContexts' | 'registry' | 'progress'>

/** `recipe` is absent when the builder fetches the context itself: its content is not known here. */
export type ImageLookup = { readonly image: Image; readonly recipe?: Recipe; readonly names: ImageNames }

/** Folders that the Dockerfile uses beside its context, each with a hash of its content. */
const foldersOf =
  (
    { buildContexts }: LookupPorts,
    image: Image,
    facts: BuildFacts,
    { place, signal }: BuildRequest,
  ): TE.TaskEither<Diagnostic, ReadonlyMap<string, string>> =>
  async () => {
    const hashes = new Map<string, string>()
    for (const context of C.valueOf(contextsOf(image, { ...facts, cwd: place.cwd })) ?? []) {
      if (context._tag === 'Url') continue
      const hash = await buildContexts.hash({ folder: context.path, ignore: '', root: place.root }, signal)()
      if (E.isLeft(hash)) {
        const written = image.additionalContexts.find(({ name }) => name === context.name)
        return E.left(placed(written === undefined ? undefined : placeOf(written.at), hash.left))
      }
      hashes.set(context.name, hash.right)
    }
    return E.right(hashes)
  }

const hashOf = (
  ports: LookupPorts,
  image: Image,
  { folder, ignore, text: dockerfile }: Recipe,
  facts: BuildFacts,
  request: BuildRequest,
): TE.TaskEither<Diagnostic, string> =>
  pipe(
    ports.buildContexts.hash({ folder, ignore, root: request.place.root }, request.signal),
    TE.bindTo('context'),
    TE.apS('contexts', foldersOf(ports, image, facts, request)),
    TE.map(({ context, contexts }) => contentHash(image, { ...facts, context, contexts, dockerfile })),
  )

/** Finds DT4010, DT4028, DT4032; warns DT4043. */
export const lookUp = async (
  ports: LookupPorts,
  request: BuildRequest,
  written: Image,
  facts: BuildFacts,
): Promise<Checked<ImageLookup>> => {
  const { environment, place, registry } = request
  const naming = { environment, registry, tags: facts.flags.tags }
  const image = withBuilt(written, facts)
  const recipe = await findRecipe(ports, image, place)
  const found = C.valueOf(recipe)
  if (recipe._tag === 'Left') return recipe
  if (place.isDirect === true || found === undefined) {
    const looked = { image, names: namesOf(image, naming), ...defined({ recipe: found }) }
    return C.note(looked, C.findings(recipe))
  }
  const named = (hash: string): Checked<ImageLookup> =>
    C.note({ image, recipe: found, names: namesOf(image, { ...naming, hash }) }, C.findings(recipe))
  return pipe(
    hashOf(ports, written, found, facts, request),
    TE.match((why) => C.fail(why), named),
  )()
}

/** The registry can add a tag only within a repository: all names have to be in that of the content hash. */
const canBeTagged = ({ hashed, names }: ImageNames): boolean =>
  hashed !== undefined && names.every((name) => repositoryOf(name) === repositoryOf(hashed))

/**
 * The digest that the registry has for the content hash; `undefined` when the image is to be built. A registry that
 * cannot be reached from here may still be reachable for the builder, so that is only a warning.
 */
export const digestThere = async (
  { progress, registry }: LookupPorts,
  { names }: ImageLookup,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const { hashed } = names
  if (hashed === undefined) return undefined
  const there = await registry.digestOf(hashed, signal)()
  if (E.isRight(there)) return there.right
  progress.tell({ _tag: 'Said', text: `cannot check whether ${hashed} already exists: ${there.left.message}` })
  return undefined
}

/** As `digestThere`; all other names are then tagged with the same digest. */
export const keptDigest = async (
  ports: LookupPorts,
  looked: ImageLookup,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const { hashed = '', names } = looked.names
  const digest = canBeTagged(looked.names) ? await digestThere(ports, looked, signal) : undefined
  if (digest === undefined) return undefined
  for (const name of names) {
    if (name === hashed) continue
    const tagged = await ports.registry.tag(hashed, name, signal)()
    if (E.isLeft(tagged)) return undefined
  }
  return digest
}
