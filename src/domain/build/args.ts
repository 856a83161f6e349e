/**
 * Build arguments with their values: from the file, from images built earlier, from this machine, from the command
 * line.
 */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts'
import { looksLikeCredential } from '../text/credential.ts'
import type { NamedValue } from '../text/written.ts'
import { isLate, type Variables } from '../yaml/interpolate.ts'
import type { BuildFlags } from './flags.ts'
import type { Image } from './image.ts'
import { withBuilt } from './late.ts'

/**
 * `images`: all images of the project. `built`: references of those that were built, by path. `variables`: those of the
 * project, this machine's first.
 */
export type BuildFacts = {
  readonly images: ReadonlyArray<Image>
  readonly built: ReadonlyMap<string, string>
  readonly variables: Variables
  readonly flags: BuildFlags
}

const late = /\$\{(DEVTOOL_[A-Z]+_[A-Za-z0-9_]+)\}/g

/**
 * All other variables were replaced when the file was read, and `$$` became `$`. DT4042 for each variable without a
 * value.
 */
const completed = (arg: NamedValue & { readonly value: string }, variables: Variables): Checked<string> => {
  const found: Array<Diagnostic> = []
  const value = arg.value.replace(late, (whole: string, name: string) => {
    if (!isLate(name)) return whole
    const known = variables(name)
    if (known === undefined) {
      const message = `${name} is not set: ${arg.name} keeps ${whole} as written`
      const help = name.startsWith('DEVTOOL_BUILD_')
        ? 'use the name of an image in `build` of the manifest'
        : `set ${name} in the environment`
      found.push(warning('DT4042', message, { at: arg.at, path: arg.path, help }))
    }
    return known ?? whole
  })
  return C.note(value, found)
}

const credentials = (name: string, value: string, place: Partial<Pick<NamedValue, 'at' | 'path'>>) =>
  looksLikeCredential(name, value)
    ? [
        warning('DT1104', `${name} looks like a credential, and build arguments are kept in the image history`, {
          ...place,
          help: 'pass it as a build secret, and mount it: RUN --mount=type=secret',
        }),
      ]
    : []

/**
 * By name; the last of each name counts. One without a value is left out, so the Dockerfile's default applies. Warns
 * DT1104, DT4042.
 */
export const argsOf = (image: Image, facts: BuildFacts): Checked<ReadonlyMap<string, string>> => {
  const { buildArgs } = facts.flags
  const { args } = withBuilt(image, facts)
  const written = C.each((arg: NamedValue): Checked<readonly [string, string] | undefined> => {
    const { at, name, path, value } = arg
    if (value === undefined || buildArgs.has(name)) return C.ok(undefined)
    return C.andThen((text: string) => C.note([name, text] as const, credentials(name, text, { at, path })))(
      completed({ ...arg, value }, facts.variables),
    )
  })(args)
  const given = C.note(
    [...buildArgs],
    [...buildArgs].flatMap(([name, value]) => credentials(name, value, {})),
  )
  const both = C.struct({ written, given })
  return C.map(
    ({ given: flags = [], written: own = [] }: C.ValueIn<typeof both>) =>
      new Map([...own.filter((pair) => pair !== undefined), ...flags]),
  )(both)
}
