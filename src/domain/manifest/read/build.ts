/** `build`: images, and the order that their `depends_on` gives. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import type { Variables } from '../../compose/interpolate.ts'
import type { Written } from '../../compose/model.ts'
import { parse } from '../../compose/read/parse.ts'
import { type Located, located, type ValueOf } from '../../compose/shape.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { checkImage } from '../../text/image.ts'
import { resolvePath } from '../../text/path.ts'
import { closest } from '../../text/suggest.ts'
import type { build } from '../fields/build.ts'
import type { BuildSecret, Image } from '../model.ts'
import type { NamedValue } from '../placed.ts'
import { incomplete, labelsOf, legalNames, valuesOf } from './parts.ts'

type Raw = ValueOf<typeof build>
type Member = Raw['value'][number]
type RawImage = Member['value']['value']
type RawSecret = NonNullable<RawImage['secrets']>['value'][number]

/** A URL, or `git@host:…`: the builder fetches it. */
const isRemote = (context: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/|^git@/i.test(context)

const resolved = (written: Located<string>): Located<string> =>
  isRemote(written.value)
    ? written
    : located(resolvePath(written.at.source.folder, written.value), written.at, written.path)

/** An image or a Git repository is named by a URL as well. */
const resolvedContext = (context: NamedValue): NamedValue =>
  context.value === undefined || isRemote(context.value)
    ? context
    : { ...context, value: resolvePath(context.at.source.folder, context.value) }

const readSecret = ({ key, value: { at, path, value } }: RawSecret): Checked<BuildSecret> => {
  const { env, file } = value
  if (file !== undefined && env === undefined)
    return C.ok({ _tag: 'File', id: key.text, file: resolved(file).value, at, path })
  if (env !== undefined && file === undefined)
    return C.ok({ _tag: 'Variable', id: key.text, variable: env.value, at, path })
  return C.fail(incomplete('a secret is either a file or a variable', { at, path }, 'write file: or env:'))
}

/** Several names to push to are separated by commas. What only a running deploy knows is not checked. */
const readNames = (image: Located<string> | undefined): Checked<ReadonlyArray<Written<string>>> => {
  if (image === undefined) return C.ok([])
  const { at, path, value } = image
  return C.each((name: string): Checked<Written<string>> => {
    const one = located(name, at, path)
    return name.includes('$')
      ? C.ok(one)
      : C.map(() => one)(parse('DT1026', checkImage, 'write repository/name:tag')(one))
  })(value.split(',').map((name) => name.trim()))
}

const partsOf = (raw: RawImage, variables: Variables) =>
  C.struct({
    images: readNames(raw.image),
    args: valuesOf(variables, raw.args),
    secrets: C.each(readSecret)(raw.secrets?.value ?? []),
    additionalContexts: C.map((contexts: Image['additionalContexts']) => contexts.map(resolvedContext))(
      labelsOf(raw.additional_contexts),
    ),
    ssh: labelsOf(raw.ssh),
    labels: labelsOf(raw.labels),
    extraHosts: labelsOf(raw.extra_hosts),
  })

/** What is taken as it is written. */
const plainOf = ({
  dockerfile,
  dockerfile_inline: dockerfileInline,
  network,
  no_cache: noCache,
  pull,
  target,
}: RawImage) => ({
  ...(dockerfile === undefined ? {} : { dockerfile }),
  ...(dockerfileInline === undefined ? {} : { dockerfileInline }),
  ...(network === undefined ? {} : { network }),
  ...(noCache === undefined ? {} : { noCache }),
  ...(pull === undefined ? {} : { pull }),
  ...(target === undefined ? {} : { target }),
})

const exclusive = ({ dockerfile, dockerfile_inline: inline }: RawImage): ReadonlyArray<Diagnostic> =>
  dockerfile === undefined || inline === undefined
    ? []
    : [error('DT1038', 'dockerfile and dockerfile_inline exclude each other', { at: inline.at, path: inline.path })]

const readImage =
  (variables: Variables) =>
  ({ key, value: { at: whole, path, value } }: Member): Checked<Image> => {
    const parts = partsOf(value, variables)
    const context = value.context ?? located('.', whole, path)
    return C.andThen((read: C.ValueIn<typeof parts>) =>
      C.note<Image>(
        {
          name: key.text,
          context: resolved(context),
          ...plainOf(value),
          images: read.images ?? [],
          args: read.args ?? [],
          secrets: read.secrets ?? [],
          cacheFrom: value.cache_from?.value ?? [],
          exportCache: value.export_cache?.value ?? [],
          dependsOn: value.depends_on?.value ?? [],
          additionalContexts: read.additionalContexts ?? [],
          ssh: read.ssh ?? [],
          labels: read.labels ?? [],
          platforms: value.platforms?.value ?? [],
          extraHosts: read.extraHosts ?? [],
          at: key,
          path,
        },
        exclusive(value),
      ),
    )(parts)
  }

/** DT1505 for names that are none. */
const unknownImages = (images: ReadonlyArray<Image>): ReadonlyArray<Diagnostic> => {
  const known = images.map(({ name }) => name)
  return images.flatMap(({ dependsOn }) =>
    dependsOn
      .filter(({ value }) => !known.includes(value))
      .map(({ at, path, value }) => {
        const near = closest(value, known)
        const help = near === undefined ? `the images are ${known.join(', ')}` : `did you mean "${near}"?`
        return error('DT1505', `there is no image "${value}"`, { at, path, help })
      }),
  )
}

/** DT1503, once for each ring. */
const rings = (images: ReadonlyArray<Image>): ReadonlyArray<Diagnostic> => {
  const byName = new Map(images.map((image) => [image.name, image]))
  const left = new Map(images.map((image) => [image.name, image.dependsOn.filter(({ value }) => byName.has(value))]))
  for (let before = -1; left.size !== before; ) {
    before = left.size
    for (const [name, after] of left) if (after.every(({ value }) => !left.has(value))) left.delete(name)
  }
  const found: Array<Diagnostic> = []
  const seen = new Set<string>()
  for (const start of left.keys()) {
    const way: Array<string> = []
    let name: string | undefined = start
    while (name !== undefined && !seen.has(name)) {
      seen.add(name)
      way.push(name)
      name = left.get(name)?.find(({ value }) => left.has(value))?.value
    }
    if (name === undefined || !way.includes(name)) continue
    const ring = [...way.slice(way.indexOf(name)), name]
    const last = left.get(ring.at(-2) ?? '')?.find(({ value }) => value === name)
    const at = last?.at ?? byName.get(name)?.at
    found.push(
      error('DT1503', `images wait for each other: ${ring.join(' → ')}`, {
        at,
        path: last?.path,
        help: 'remove one of them',
      }),
    )
  }
  return found
}

/** Finds DT1026, DT1028, DT1038, DT1503, DT1504, DT1505, DT1511; warns DT1103. */
export const readBuild = (raw: Raw | undefined, variables: Variables): Checked<ReadonlyArray<Image>> => {
  if (raw === undefined) return C.ok([])
  const named = legalNames('build', raw.value)
  return C.andThen((images: ReadonlyArray<Image>) => {
    const names = C.valueOf(named)
    const legal = (name: string): string => names?.get(`build.${name}`) ?? name
    const found = [...C.findings(named), ...unknownImages(images), ...rings(images)]
    return C.note(
      images.map((image) => ({
        ...image,
        name: legal(image.name),
        dependsOn: image.dependsOn.map((one) => ({ ...one, value: legal(one.value) })),
      })),
      found,
    )
  })(C.each(readImage(variables))(raw.value))
}
