/** Everything an image is made from, hashed: the same build on another machine finds the image in the registry. */

import * as C from '../checked.ts'
import { sha256 } from '../text/sha256.ts'
import type { BuildFacts } from './args.ts'
import { argsOf } from './args.ts'
import { contextsOf, fetched, shortName } from './contexts.ts'
import { EPOCH, epochOf } from './epoch.ts'
import type { BuildFlags } from './flags.ts'
import type { Image } from './image.ts'
import { withBuilt } from './late.ts'
import { needsOf } from './needs.ts'
import { optionsOf } from './options.ts'
import { readSecretFlag } from './secrets.ts'

/**
 * Contains no absolute paths. `context`: the folder's hash, or the URL. A folder's hash covers paths, file types,
 * contents, link targets and permission bits, since COPY preserves them: another umask (0664 instead of 0644) gives
 * another hash, and on Windows they are always 0755. Times and owners do not count. `dockerfile`: its text. `args`:
 * with their values. `secrets` and `keys`: only their ids. `contexts`: hashes or URLs by name. `options`: other
 * attributes of the frontend. `needs`: digests of the images that were built before, by path.
 */
export type Ingredients = {
  readonly context: string
  readonly dockerfile: string
  readonly args: ReadonlyMap<string, string>
  readonly secrets: ReadonlyArray<string>
  readonly keys: ReadonlyArray<string>
  readonly contexts: ReadonlyMap<string, string>
  readonly options: ReadonlyMap<string, string>
  readonly needs: ReadonlyMap<string, string>
}

const SCHEMA = 1

/** By code units, so the machine's locale does not matter. */
const sorted = (texts: Iterable<string>): ReadonlyArray<string> => [...new Set(texts)].toSorted()

const pairsOf = (map: ReadonlyMap<string, string>): ReadonlyArray<readonly [string, string]> =>
  sorted(map.keys()).map((key) => [key, map.get(key) ?? ''])

/** 12 hexadecimal digits. Law: the order of maps and ids does not matter; everything else does. */
export const hashOfIngredients = (ingredients: Ingredients): string => {
  const { args, context, contexts, dockerfile, keys, needs, options, secrets } = ingredients
  const canonical = [
    SCHEMA,
    context,
    dockerfile,
    pairsOf(args),
    sorted(secrets),
    sorted(keys),
    pairsOf(contexts),
    pairsOf(options),
    pairsOf(needs),
  ]
  return sha256(JSON.stringify(canonical)).slice(0, 12)
}

/** Options that do not change the image, or only change how it is built. */
const isIdle = (name: string): boolean => name === 'no-cache' || name === 'image-resolve-mode'

const flagIds = ({ secrets }: BuildFlags): ReadonlyArray<string> =>
  secrets.flatMap((text) => C.valueOf(readSecretFlag(text))?.id ?? [])

/** A change of SOURCE_DATE_EPOCH changes the image only when a reproducible build was asked for. */
const timesOf = (facts: BuildFacts): ReadonlyArray<readonly [string, string]> =>
  facts.flags.isReproducible === true ? [[EPOCH, epochOf(facts) ?? '']] : []

const digestIn = (reference: string): string => reference.slice(reference.indexOf('@') + 1)

/**
 * `context`: the folder's hash, absent for a URL, which is hashed itself. `contexts`: hashes of additional folders by
 * name. `dockerfile`: its text.
 */
export type HashFacts = BuildFacts & {
  readonly context?: string | undefined
  readonly contexts: ReadonlyMap<string, string>
  readonly dockerfile: string
}

/** Platforms may be listed in any order. */
const optionValue = (name: string, value: string): string =>
  name === 'platform' ? sorted(value.split(',')).join(',') : value

const ingredientsOf = (raw: Image, facts: HashFacts): Ingredients => {
  const image = withBuilt(raw, facts)
  const contexts = C.valueOf(contextsOf(image, { ...facts, cwd: '.' })) ?? []
  const options = C.valueOf(optionsOf(image, facts.flags)) ?? []
  const folders = new Map([...facts.contexts].map(([name, hash]) => [shortName(name), hash]))
  return {
    context: facts.context ?? fetched(image.context.value).url,
    dockerfile: facts.dockerfile,
    args: C.valueOf(argsOf(image, facts)) ?? new Map(),
    secrets: [...image.secrets.map(({ id }) => id), ...flagIds(facts.flags)],
    keys: image.ssh.map(({ name }) => name),
    contexts: new Map(contexts.map((one) => [one.name, one._tag === 'Url' ? one.url : (folders.get(one.name) ?? '')])),
    options: new Map([
      ...options.filter(([name]) => !isIdle(name)).map(([name, value]) => [name, optionValue(name, value)] as const),
      ...timesOf(facts),
    ]),
    needs: new Map(
      needsOf(raw, facts.images).flatMap(({ path }) => {
        const reference = facts.built.get(path)
        return reference === undefined ? [] : [[path, digestIn(reference)]]
      }),
    ),
  }
}

/** 12 hexadecimal digits. Problems with the image are reported by `solveOf`; they are ignored here. */
export const contentHash = (image: Image, facts: HashFacts): string => hashOfIngredients(ingredientsOf(image, facts))
