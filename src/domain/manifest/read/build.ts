/** `build`: images, and their order according to `depends_on`. */
import type { BuildSecret, Image } from '../../build/image.ts'
import { mistakesIn } from '../../build/mistakes.ts'
import { rings } from '../../build/needs.ts'
import { readParts, readReference, resolved, type SharedParts } from '../../build/read-image.ts'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import type { Written } from '../../compose/model.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { type Located, located, type ValueOf } from '../../shape/shape.ts'
import { listed } from '../../text/listed.ts'
import { didYouMean } from '../../text/suggest.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type { build } from '../fields/build.ts'
import { incomplete, legalNames } from './parts.ts'

type Raw = ValueOf<typeof build>
type Member = Raw['value'][number]
type RawImage = Member['value']['value']
type RawSecret = NonNullable<RawImage['secrets']>['value'][number]

const readSecret = ({ key, value: { at, path, value } }: RawSecret): Checked<BuildSecret> => {
  const { env, file } = value
  if (file !== undefined && env === undefined)
    return C.ok({ _tag: 'File', id: key.text, file: resolved(file).value, at, path })
  if (env !== undefined && file === undefined)
    return C.ok({ _tag: 'Variable', id: key.text, variable: env.value, at, path })
  return C.fail(incomplete('a secret is either a file or a variable', { at, path }, 'write file: or env:'))
}

/** Several names to push to are separated by commas. */
const readNames = (image: Located<string> | undefined): Checked<ReadonlyArray<Written<string>>> => {
  if (image === undefined) return C.ok([])
  const { at, path, value } = image
  return C.each((name: string) => readReference(located(name, at, path)))(value.split(',').map((name) => name.trim()))
}

const exclusive = ({ dockerfile, dockerfile_inline: inline }: RawImage): ReadonlyArray<Diagnostic> =>
  dockerfile === undefined || inline === undefined
    ? []
    : [error('DT1038', 'dockerfile and dockerfile_inline exclude each other', { at: inline.at, path: inline.path })]

const readImage =
  (variables: Variables) =>
  ({ key, value: { at: whole, path, value } }: Member): Checked<Image> => {
    const own = C.struct({ images: readNames(value.image), secrets: C.each(readSecret)(value.secrets?.value ?? []) })
    return C.andThen(({ additionalContexts, args, context, extraHosts, labels, ssh, ...texts }: SharedParts) => {
      const { images = [], secrets = [] } = C.valueOf(own) ?? {}
      const image: Image = {
        name: key.text,
        context,
        ...texts,
        images,
        args,
        secrets,
        cacheFrom: value.cache_from?.value ?? [],
        exportCache: value.export_cache?.value ?? [],
        dependsOn: value.depends_on?.value ?? [],
        additionalContexts,
        ssh,
        labels,
        platforms: value.platforms?.value ?? [],
        extraHosts,
        at: key,
        path,
      }
      return C.note(image, [...C.findings(own), ...exclusive(value), ...mistakesIn(image)])
    })(readParts(value, value.ssh, located(value, whole, path), variables))
  }

/** DT1505 for unknown names. */
const unknownImages = (images: ReadonlyArray<Image>): ReadonlyArray<Diagnostic> => {
  const known = new Set(images.map(({ name }) => name))
  const names = [...known]
  const all = `the images are ${listed(names)}`
  return images.flatMap(({ dependsOn }) =>
    dependsOn
      .filter(({ value }) => !known.has(value))
      .map(({ at, path, value }) => {
        const help = (): string => didYouMean(value, names, all)
        return error('DT1505', `there is no image "${value}"`, { at, path, help })
      }),
  )
}

/** Finds DT1026, DT1028, DT1038, DT1503, DT1504, DT1505, DT1511, DT4031; warns DT1103. */
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
