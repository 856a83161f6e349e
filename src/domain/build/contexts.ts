/** Additional contexts of a build: local folders, images, URLs, and images that other services build. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { resolvePath } from '../text/path.ts'
import type { NamedValue, Written } from '../text/written.ts'
import type { BuildFacts } from './args.ts'
import type { Image } from './image.ts'
import { withBuilt } from './late.ts'
import { deployedAs } from './names.ts'
import { isOfService } from './needs.ts'
import { isRemote, serviceOf } from './read-image.ts'

/** A folder is absolute; a URL is one that BuildKit understands (`docker-image://…`). */
export type NamedContext = { readonly name: string } & (
  | { readonly _tag: 'Folder'; readonly path: string }
  | { readonly _tag: 'Url'; readonly url: string }
)

type Facts = Pick<BuildFacts, 'images' | 'built'> & { readonly cwd: string }

/** As in `FROM`: the frontend looks up the short form. */
export const shortName = (name: string): string =>
  name.replace(/^docker\.io\/(?:library\/)?/, '').replace(/:latest$/, '')

const unusable = ({ at, name, path, value }: NamedValue, why: string, help: string): Diagnostic =>
  error('DT4031', `the context ${name}=${value ?? ''} ${why}`, { at, path, help })

const gitUrl = /^(?:git|ssh):\/\/|^git@|^https?:\/\/[^?#]*\.git(?=[?#]|$)|^(?:https?:\/\/)?github\.com\//i

const gitOptions: ReadonlySet<string> = new Set(
  'ref tag branch commit checksum subdir submodules keep-git-dir mtime fetch-by-commit'.split(' '),
)

/** DT4031. A builder hands the whole URL to git, so a token in it would stand on a command line. */
export const gitQueryFault = ({ at, path, value }: Written<string>): Diagnostic | undefined => {
  const [, query] = (gitUrl.test(value) && /^[^?#]*\?([^#]*)/.exec(value)) || []
  const strange = (query ?? '')
    .split('&')
    .map((pair) => pair.split('=', 1)[0] ?? '')
    .find((name) => name !== '' && !gitOptions.has(name))
  if (strange === undefined) return undefined
  const help = 'give a token as the build secret GIT_AUTH_TOKEN'
  return error('DT4031', `the URL of a git repository has no "${strange}" in its query`, { at, path, help })
}

/** DT4031 for contexts that no build accepts, whatever was built before. */
export const contextFault = (context: NamedValue): Diagnostic | undefined => {
  const { value = '' } = context
  if (value === '') return unusable(context, 'says nothing', 'write NAME=FOLDER or NAME=docker-image://IMAGE')
  return /^(?:oci-layout|target):/.test(value)
    ? unusable(context, 'is not supported', 'use a folder, docker-image://, a Git or other URL')
    : gitQueryFault({ at: context.at, path: context.path, value })
}

const ofService = (context: NamedValue, service: string, { built, images }: Facts): Checked<NamedContext> => {
  const image = images.find((one) => isOfService(one) && one.name === service)
  const reference = image === undefined ? undefined : built.get(image.path)
  if (reference === undefined) return C.fail(unusable(context, 'is not built', 'give the service build:'))
  return C.ok({ _tag: 'Url', name: shortName(context.name), url: `docker-image://${deployedAs(reference)}` })
}

const readContext =
  (facts: Facts) =>
  (context: NamedValue): Checked<NamedContext> => {
    const { value = '' } = context
    const name = shortName(context.name)
    const fault = contextFault(context)
    if (fault !== undefined) return C.fail(fault)
    const service = serviceOf(context)
    if (service !== undefined) return ofService(context, service, facts)
    if (!isRemote(value)) return C.ok({ _tag: 'Folder', name, path: resolvePath(facts.cwd, value) })
    return C.ok({ _tag: 'Url', name, url: value.replace(/^github\.com\//i, 'https://github.com/') })
  }

/** The last context of each name. Finds DT4031. */
export const contextsOf = (image: Image, facts: Facts): Checked<ReadonlyArray<NamedContext>> => {
  const { additionalContexts } = withBuilt(image, facts)
  return C.map((contexts: ReadonlyArray<NamedContext>) => [
    ...new Map(contexts.map((context) => [context.name, context])).values(),
  ])(C.each(readContext(facts))(additionalContexts))
}
