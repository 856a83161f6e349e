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
import { type ImageNames, namesOf } from '../../domain/build/names.ts'
import { parseReference, type Reference, splitReference } from '../../domain/build/reference.ts'
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

const hostOf = (name: string): string =>
  pipe(
    parseReference(name),
    E.match(
      () => name,
      ({ host }: Reference) => host,
    ),
  )

const digestIn = (name: string): string | undefined => splitReference(name).digest

/** An image can only be tagged within one registry: all names have to be in that of the content hash. */
const canBeTagged = ({ hashed, names }: ImageNames): boolean =>
  hashed !== undefined && names.every((name) => hostOf(name) === hostOf(hashed))

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

/** Whether all of them are now names of that image. If the registry cannot do that, the image is built. */
const areNamed = async (
  { registry }: LookupPorts,
  image: string,
  names: ReadonlyArray<string>,
  signal: AbortSignal,
): Promise<boolean> => {
  for (const name of names) {
    const named = await registry.tag(image, name, signal)()
    if (E.isLeft(named)) return false
  }
  return true
}

/**
 * Like `digestThere`; all other names are then given to the same image. `twin`: an image of the same content, which is
 * used if it is in the same registry.
 */
export const keptDigest = async (
  ports: LookupPorts,
  looked: ImageLookup,
  twin: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const { hashed = '', names } = looked.names
  if (!canBeTagged(looked.names)) return undefined
  const others = names.filter((name) => name !== hashed)
  const digest = await digestThere(ports, looked, signal)
  if (digest !== undefined) return (await areNamed(ports, hashed, others, signal)) ? digest : undefined
  const known = twin === undefined || hostOf(twin) !== hostOf(hashed) ? undefined : digestIn(twin)
  if (twin === undefined || known === undefined) return undefined
  return (await areNamed(ports, twin, [hashed, ...others], signal)) ? known : undefined
}
