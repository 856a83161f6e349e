/** What an image is made of, as one text: who builds the same on another machine finds it in the registry. */

import * as C from '../checked.ts'
import { sha256 } from '../text/sha256.ts'
import type { BuildFacts } from './args.ts'
import { argsOf } from './args.ts'
import { contextsOf, shortName } from './contexts.ts'
import type { BuildFlags } from './flags.ts'
import type { Image } from './image.ts'
import { withBuilt } from './late.ts'
import { needsOf } from './needs.ts'
import { optionsOf } from './options.ts'
import { readSecretFlag } from './secrets.ts'

/**
 * No absolute path is among them. `context`: the hash of the folder, or the URL. In the hash of a folder are paths, kinds,
 * contents, targets of links, and the permission bits as they are sent, since COPY keeps them: all of them, so that another
 * umask (0664 beside 0644) gives another hash, and on Windows 0755 throughout. Times and owners do not count. `dockerfile`: its text. `args` with their
 * values. `secrets` and `keys`: ids, never what is in them. `contexts`: hashes or URLs by name. `options`: what else is said
 * to the frontend. `needs`: digests of the images that were built before, by their paths.
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

/** By code units, so that no language of the machine counts. */
const sorted = (texts: Iterable<string>): ReadonlyArray<string> => [...new Set(texts)].toSorted()

const pairsOf = (map: ReadonlyMap<string, string>): ReadonlyArray<readonly [string, string]> =>
  sorted(map.keys()).map((key) => [key, map.get(key) ?? ''])

/** 12 hexadecimal digits. Law: the order of maps and of ids does not count, everything else does. */
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

/** What does not change the image, or only how it is made. */
const isIdle = (name: string): boolean => name === 'no-cache' || name === 'image-resolve-mode'

const flagIds = ({ secrets }: BuildFlags): ReadonlyArray<string> =>
  secrets.flatMap((text) => C.valueOf(readSecretFlag(text))?.id ?? [])

const digestIn = (reference: string): string => reference.slice(reference.indexOf('@') + 1)

/**
 * `context`: the hash of the folder, absent for a URL, which counts by itself. `contexts`: hashes of further folders by name.
 * `dockerfile`: its text.
 */
export type HashFacts = BuildFacts & {
  readonly context?: string | undefined
  readonly contexts: ReadonlyMap<string, string>
  readonly dockerfile: string
}

/** Platforms may be named in any order. */
const optionValue = (name: string, value: string): string =>
  name === 'platform' ? sorted(value.split(',')).join(',') : value

const ingredientsOf = (raw: Image, facts: HashFacts): Ingredients => {
  const image = withBuilt(raw, facts)
  const contexts = C.valueOf(contextsOf(image, { ...facts, cwd: '.' })) ?? []
  const options = C.valueOf(optionsOf(image, facts.flags)) ?? []
  const folders = new Map([...facts.contexts].map(([name, hash]) => [shortName(name), hash]))
  return {
    context: facts.context ?? image.context.value,
    dockerfile: facts.dockerfile,
    args: C.valueOf(argsOf(image, facts)) ?? new Map(),
    secrets: [...image.secrets.map(({ id }) => id), ...flagIds(facts.flags)],
    keys: image.ssh.map(({ name }) => name),
    contexts: new Map(contexts.map((one) => [one.name, one._tag === 'Url' ? one.url : (folders.get(one.name) ?? '')])),
    options: new Map(
      options.filter(([name]) => !isIdle(name)).map(([name, value]) => [name, optionValue(name, value)]),
    ),
    needs: new Map(
      needsOf(raw, facts.images).flatMap(({ path }) => {
        const reference = facts.built.get(path)
        return reference === undefined ? [] : [[path, digestIn(reference)]]
      }),
    ),
  }
}

/** 12 hexadecimal digits. What is wrong with an image is found by `solveOf`; here it does not count. */
export const contentHash = (image: Image, facts: HashFacts): string => hashOfIngredients(ingredientsOf(image, facts))
