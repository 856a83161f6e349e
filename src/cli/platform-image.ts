/** The image of the platform's programs: the named one, or one built from the files beside the program. */
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { InstallRequest } from '../app/install/request.ts'
import { noFlags } from '../domain/build/flags.ts'
import { deployedAs } from '../domain/build/names.ts'
import * as C from '../domain/checked.ts'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../ports/ports.ts'
import type { CommandCall } from './command.ts'
import { definedOf } from './flags/project.ts'
import { usage } from './flags/usage.ts'

/** From source, the build is in `dist/`. */
const folder = (): string => {
  const own = import.meta.dirname
  return own.endsWith('cli') ? join(own, '../../dist/platform') : join(own, 'platform')
}

const unnamed = usage('--image is missing', 'name an image, or with --registry the registry that it is pushed to')

/** The image's name with its tag, before it is built. */
export const imageNamed = (
  registry: string | undefined,
  version: string,
  given: string | undefined,
): C.Checked<string> => {
  if (given !== undefined) return C.ok(given)
  return registry === undefined ? C.fail(unnamed) : C.ok(`${registry}/devtool-platform:${version}`)
}

type Building = {
  readonly call: CommandCall
  readonly context: string | undefined
  readonly ports: Ports
  readonly signal: AbortSignal
}

const built = async ({ call: { cwd, env, separator, version }, context, ports, signal }: Building, tag: string) => {
  const { buildProject } = await import('../app/build/build-project.ts')
  const none = new Map<string, string>()
  const files = folder()
  const settings = { files: [], given: none, services: [], settings: {}, isConfined: false, isStrict: false }
  const named = { ssh: none, labels: none, contexts: none, hosts: none }
  return buildProject(ports)({
    wanted: { cwd, separator, shell: definedOf(env), ...settings },
    project: () => Promise.reject(new Error('this image is of no project')),
    names: [],
    context,
    direct: {
      dockerfile: join(files, 'Dockerfile'),
      context: join(files, '..'),
      pull: false,
      entitlements: [],
      ...named,
    },
    flags: { ...noFlags, tags: [tag] },
    reports: [],
    version,
    signal,
    output: 'Push',
  })
}

export const platformImage =
  (building: Building, given: string | undefined): InstallRequest['imageFor'] =>
  ({ registry }): TE.TaskEither<ReadonlyArray<Diagnostic>, string> => {
    const name = imageNamed(registry, building.call.version, given)
    const tag = C.valueOf(name)
    if (tag === undefined) return TE.left(C.findings(name))
    if (given !== undefined) return TE.right(given)
    return async () => {
      const { findings, value } = await built(building, tag)
      const image = value?.images[0]?.image
      return image === undefined ? E.left(findings) : E.right(image)
    }
  }

/** Nothing is built: the image in the registry for this version, or else the tag that it would get. */
export const platformImageThere =
  (
    { call, ports: { registry: images }, signal }: Pick<Building, 'call' | 'ports' | 'signal'>,
    given: string | undefined,
  ): InstallRequest['imageFor'] =>
  ({ registry }): TE.TaskEither<ReadonlyArray<Diagnostic>, string> => {
    const name = imageNamed(registry, call.version, given)
    const tag = C.valueOf(name)
    if (tag === undefined) return TE.left(C.findings(name))
    return given === undefined
      ? pipe(
          images.digestOf(tag, signal),
          TE.map((digest) => (digest === undefined ? tag : deployedAs(`${tag}@${digest}`))),
          TE.orElse(() => TE.right(tag)),
        )
      : TE.right(given)
  }
