/** `build` of a service → the image to build for it. */
import type { BuildSecret, Image } from '../../build/image.ts'
import { mistakesIn } from '../../build/mistakes.ts'
import { readParts, readReference, serviceOf } from '../../build/read-image.ts'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { as } from '../../shape/parse.ts'
import type { Located, ShapeMember, ValueOf } from '../../shape/shape.ts'
import { pathWritten } from '../../text/path.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type { document } from '../fields/document.ts'
import type { Written } from '../model.ts'
import { readLimits } from './build-limits.ts'
import { imageName } from './image-name.ts'
import type { RawService } from './service.ts'

type Secrets = NonNullable<ValueOf<typeof document>['value']['secrets']>['value']
type RawBuild = Exclude<NonNullable<RawService['value']['build']>['value'], string>
type RawSecret = NonNullable<RawBuild['secrets']>['value'][number]

/** What reading images requires besides the services: the top-level `secrets`, and the variables of the project. */
export type BuildSurroundings = { readonly secrets: Secrets; readonly variables: Variables }

/** Its name at the top level, and its id in the Dockerfile. */
const namesOfSecret = (item: RawSecret): { readonly source: Written<string> | undefined; readonly id: string } => {
  if (typeof item.value === 'string') return { source: as(item.value, item), id: item.value }
  const { source, target } = item.value
  return { source, id: target?.value ?? source?.value ?? '' }
}

/** `undefined` for a secret that the file does not define: that is reported elsewhere. */
const readSecret =
  (secrets: Secrets) =>
  (item: RawSecret): Checked<BuildSecret | undefined> => {
    const { at, path } = item
    const { id, source } = namesOfSecret(item)
    if (source === undefined) {
      return C.fail(error('DT1003', 'the secret has no name', { at, path, help: 'add source:' }))
    }
    const known = secrets.find(({ key }) => key.text === source.value)
    if (known === undefined) return C.ok(undefined)
    const { environment, file } = known.value?.value ?? {}
    if (file !== undefined && environment === undefined)
      return C.ok({ _tag: 'File', id, file: pathWritten(file.at, file.value), source: file.at, at, path })
    if (environment !== undefined && file === undefined)
      return C.ok({ _tag: 'Variable', id, variable: environment.value, source: environment.at, at, path })
    return C.fail(
      error('DT4031', `a build cannot use the secret "${source.value}"`, {
        at,
        path,
        help: 'set file: or environment: of the secret at the top level',
        related: [{ at: known.key, message: 'it is defined here' }],
      }),
    )
  }

/** Services whose images are used as contexts are built first. */
const neededServices = (contexts: Image['additionalContexts']): Image['dependsOn'] =>
  contexts.flatMap((context) => {
    const name = serviceOf(context)
    return name === undefined ? [] : [{ value: name, at: context.at, path: context.path }]
  })

/** DT1038: an image without the platform that the service asks for. */
const platformMissing = (platform: Located<string> | undefined, { platforms }: RawBuild): ReadonlyArray<Diagnostic> => {
  const built = platforms?.value ?? []
  const [first] = built
  if (platform === undefined || first === undefined || built.some(({ value }) => value === platform.value)) return []
  const { at, path } = platform
  const related = [{ at: first.at, message: 'these are built' }]
  const help = `add ${platform.value} to build.platforms`
  return [error('DT1038', `the image is not built for the platform ${platform.value}`, { at, path, help, related })]
}

const plainOf = ({
  cache_from: cacheFrom,
  cache_to: cacheTo,
  export_cache: exportCache,
  no_cache_filter: noCacheFilter,
  platforms,
}: RawBuild) => ({
  cacheFrom: cacheFrom?.value ?? [],
  exportCache: [...(cacheTo?.value ?? []), ...(exportCache === undefined ? [] : [exportCache])],
  platforms: platforms?.value ?? [],
  ...defined({ noCacheFilter: noCacheFilter?.value }),
})

const rawOf = (build: NonNullable<RawService['value']['build']>): RawBuild =>
  typeof build.value === 'string' ? { context: as(build.value, build) } : build.value

/** `undefined` without `build`. Finds DT1003, DT1020, DT1026, DT1028, DT1038, DT4031; warns DT1102. */
export const readServiceImage =
  ({ secrets, variables }: BuildSurroundings) =>
  ({ key, value: service }: ShapeMember<RawService>): Checked<Image | undefined> => {
    const { build } = service.value
    if (build === undefined) return C.ok(undefined)
    const { name: image } = imageName(service)
    const raw = rawOf(build)
    const read = C.struct({
      parts: readParts(raw, raw.ssh, build, variables),
      limits: readLimits(raw),
      images: image === undefined ? C.ok([]) : C.map((one: Written<string>) => [one])(readReference(image)),
      tags: C.each((tag: Located<string>) => readReference(tag))(raw.tags?.value ?? []),
      secrets: C.each(readSecret(secrets))(raw.secrets?.value ?? []),
    })
    return C.andThen((found: C.ValueIn<typeof read>): Checked<Image | undefined> => {
      const { images = [], limits, parts, secrets: ids = [], tags = [] } = found
      if (parts === undefined) return C.ok(undefined)
      const one: Image = {
        name: key.text,
        ...parts,
        ...limits,
        images,
        ...(tags.length === 0 ? {} : { tags }),
        secrets: ids.filter((secret) => secret !== undefined),
        ...plainOf(raw),
        dependsOn: neededServices(parts.additionalContexts),
        at: key,
        path: build.path,
      }
      return C.note(one, [...mistakesIn(one), ...platformMissing(service.value.platform, raw)])
    })(read)
  }
