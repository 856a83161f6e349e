/** Additional contexts of a build: local folders, images, URLs, and images that other services build. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { encodeBase64 } from '../text/base64.ts'
import { resolvePath } from '../text/path.ts'
import { percentDecoded } from '../text/percent.ts'
import type { NamedValue, Written } from '../text/written.ts'
import type { BuildFacts } from './args.ts'
import type { Image } from './image.ts'
import { withBuilt } from './late.ts'
import { deployedAs } from './names.ts'
import { isOfService } from './needs.ts'
import { isRemote, serviceOf } from './read-image.ts'
import type { Solve } from './solve.ts'

/** A folder is absolute; a URL is one that BuildKit understands (`docker-image://…`). */
export type NamedContext = { readonly name: string } & (
  | { readonly _tag: 'Folder'; readonly path: string }
  | ({ readonly _tag: 'Url' } & Fetched)
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

/** `secrets`: what the builder needs to fetch the URL. */
type Fetched = { readonly url: string; readonly secrets: Solve['secrets'] }

const gitOfUser = /^(https?:\/\/)([^/?#]*)@([^/?#@]+)(\/[^?#]*\.git(?:[?#][^]*)?)$/i

/**
 * A builder hands a URL to git, and shows it in steps and attestations. The user and password of a repository go to it
 * as the secret that it looks up for the host.
 */
export const fetched = (value: string): Fetched => {
  const [, scheme, info = '', host, rest] = gitOfUser.exec(value) ?? []
  if (scheme === undefined || host === undefined || rest === undefined) return { url: value, secrets: [] }
  const [user = '', ...password] = info.split(':')
  const pair = new TextEncoder().encode(`${percentDecoded(user)}:${percentDecoded(password.join(':'))}`)
  const header: Solve['secrets'][number] = {
    id: `GIT_AUTH_HEADER.${host}`,
    source: { _tag: 'Value', value: `basic ${encodeBase64(pair)}` },
  }
  return { url: `${scheme}${host}${rest}`, secrets: [header] }
}

const userFault = ({ at, path, value }: Written<string>): Diagnostic | undefined => {
  const [, scheme = '', info = ''] = /^(https?|git|ssh):\/\/([^/?#]*)@/i.exec(value) ?? []
  const isSecret = info.includes(':') || /^http/i.test(scheme)
  if (info === '' || !isSecret || gitOfUser.test(value)) return undefined
  const help =
    'only https://USER:PASSWORD@HOST/REPOSITORY.git may have them; fetch other files in RUN, with a build secret'
  return error('DT4031', 'a builder would show the user and password of this URL', { at, path, help })
}

/** DT4031: credentials in a URL, such as a token in the query of a git repository, would appear on a command line. */
export const urlFault = (written: Written<string>): Diagnostic | undefined =>
  gitQueryFault(written) ?? userFault(written)

const gitQueryFault = ({ at, path, value }: Written<string>): Diagnostic | undefined => {
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
    : urlFault({ at: context.at, path: context.path, value })
}

const ofService = (context: NamedValue, service: string, { built, images }: Facts): Checked<NamedContext> => {
  const image = images.find((one) => isOfService(one) && one.name === service)
  const reference = image === undefined ? undefined : built.get(image.path)
  if (reference === undefined) return C.fail(unusable(context, 'is not built', 'give the service build:'))
  return C.ok({
    _tag: 'Url',
    name: shortName(context.name),
    url: `docker-image://${deployedAs(reference)}`,
    secrets: [],
  })
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
    return C.ok({ _tag: 'Url', name, ...fetched(value.replace(/^github\.com\//i, 'https://github.com/')) })
  }

/** The last context of each name. Finds DT4031. */
export const contextsOf = (image: Image, facts: Facts): Checked<ReadonlyArray<NamedContext>> => {
  const { additionalContexts } = withBuilt(image, facts)
  return C.map((contexts: ReadonlyArray<NamedContext>) => [
    ...new Map(contexts.map((context) => [context.name, context])).values(),
  ])(C.each(readContext(facts))(additionalContexts))
}
