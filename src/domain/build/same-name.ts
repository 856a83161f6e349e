/** Two different images with the same name: the one pushed last would win. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { NamedValue, Written } from '../text/written.ts'
import type { BuildSecret, Image } from './image.ts'
import { parseReference, showReference } from './reference.ts'

const inFull = (name: string): string =>
  pipe(
    parseReference(name),
    E.fold(() => name, showReference),
  )

const pairsIn = (named: ReadonlyArray<NamedValue>): ReadonlyArray<string> =>
  named.map(({ name, value }) => JSON.stringify([name, value])).toSorted()

const secretsIn = (secrets: ReadonlyArray<BuildSecret>): ReadonlyArray<string> =>
  secrets.map((one) => JSON.stringify([one.id, one._tag === 'File' ? one.file : one.variable])).toSorted()

const valueOf = <A>(written: Written<A> | undefined): A | undefined => written?.value

/** Everything that goes into the image, as written. How it is built, for example with which cache, does not count. */
const writtenIn = (image: Image): string =>
  JSON.stringify([
    image.context.value,
    image.dockerfileInline === undefined ? (image.dockerfile?.value ?? 'Dockerfile') : [image.dockerfileInline.value],
    valueOf(image.target) ?? null,
    pairsIn(image.args),
    secretsIn(image.secrets),
    pairsIn(image.additionalContexts),
    pairsIn(image.ssh),
    pairsIn(image.labels),
    image.platforms.map(({ value }) => value).toSorted(),
    pairsIn(image.extraHosts),
    [image.network, image.provenance, image.sbom].map((one) => valueOf(one) ?? null),
    valueOf(image.shmSize) ?? null,
    pairsIn(image.ulimits ?? []),
  ])

/**
 * DT4031 at the name of the second one: an error when both are built. Services that share one image define it
 * identically.
 */
export const sameNames = (images: ReadonlyArray<Image>, found: typeof error): ReadonlyArray<Diagnostic> => {
  const first = new Map<string, { readonly image: Image; readonly name: Written<string> }>()
  return images.flatMap((image) => {
    const [name] = image.images
    if (name === undefined) return []
    const other = first.get(inFull(name.value))
    if (other === undefined) {
      first.set(inFull(name.value), { image, name })
      return []
    }
    if (writtenIn(other.image) === writtenIn(image)) return []
    const { at, path, value } = name
    return [
      found('DT4031', `"${value}" is also the name of ${other.image.path}, which is built differently`, {
        at,
        path,
        help: 'give each a name of its own, or both the same build',
        related: [{ at: other.name.at, message: 'the other one is named here' }],
      }),
    ]
  })
}
