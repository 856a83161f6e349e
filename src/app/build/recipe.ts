/** Finds the Dockerfile of an image, its text, and the .dockerignore that applies. */
import * as E from 'fp-ts/lib/Either.js'
import type { Image } from '../../domain/build/image.ts'
import { isRemote } from '../../domain/build/read-image.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { textContent } from '../../domain/compose/file-content.ts'
import { type Diagnostic, error, warning } from '../../domain/diagnostic/diagnostic.ts'
import { ignorePatterns, mostIgnorePatterns } from '../../domain/ignore/ignore.ts'
import { compilePatterns } from '../../domain/ignore/patterns.ts'
import { cut } from '../../domain/progress/text.ts'
import { baseName, folderOf, resolvePath } from '../../domain/text/path.ts'
import { type Place as FilePlace, placeOf, type Span, source } from '../../domain/text/source.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Ports } from '../../ports/ports.ts'
import type { ProjectOptions } from '../project/choose.ts'

type FilePorts = Pick<Ports, 'files'>

/**
 * `folder`: the context, absolute. `dockerfile`: its folder (absolute), its name in it, and the path that users know it
 * by; absent when the Dockerfile is inline. `text`: that of the Dockerfile. `ignore`: that of the .dockerignore.
 */
export type Recipe = {
  readonly folder: string
  readonly dockerfile?: { readonly folder: string; readonly file: string; readonly path: string }
  readonly text: string
  readonly ignore: string
}

/** `root`: no file outside of it is read. `isDirect`: the Dockerfile is relative to `cwd`, wherever the context is. */
export type RecipePlace = { readonly cwd: string; readonly root?: string | undefined; readonly isDirect?: boolean }

export const placeFor = ({ cwd, isConfined }: Pick<ProjectOptions, 'cwd' | 'isConfined'>): RecipePlace => ({
  cwd,
  root: isConfined ? cwd : undefined,
})

/** A Dockerfile given on the command line has no place in a file. */
export const placeIn = ({ isDirect = false }: RecipePlace, at: Span): FilePlace | undefined =>
  isDirect ? undefined : placeOf(at)

/** The Dockerfile is looked for in the context, then beside the file that names it. */
const candidates = ({ at, context, dockerfile }: Image, { isDirect = false }: RecipePlace): ReadonlyArray<string> => {
  const name = dockerfile?.value ?? 'Dockerfile'
  if (isDirect) return [name]
  const inContext = resolvePath(context.value, name)
  return dockerfile === undefined ? [inContext] : [...new Set([inContext, resolvePath(at.source.folder, name)])]
}

const notThere = ({ at, context, dockerfile, path }: Image, { isDirect = false }: RecipePlace): Diagnostic => {
  const name = dockerfile?.value ?? 'Dockerfile'
  if (isDirect) return error('DT4028', `there is no ${name}`, { help: '-f is relative to this folder' })
  const span = dockerfile ?? context
  return error('DT4028', `there is no ${name} in ${context.value}`, {
    at: span.at ?? at,
    path: span.path ?? path,
    help: 'write one, or name it with dockerfile:, relative to the context',
  })
}

/** DT4043: says which of two Dockerfiles was used. */
const elsewhere = ({ dockerfile }: Image, found: ReadonlyArray<string>): ReadonlyArray<Diagnostic> => {
  const [taken, other] = found
  if (dockerfile === undefined || taken === undefined || other === undefined) return []
  const message = `${taken} is used, the one in the build context; ${other} exists too`
  return [warning('DT4043', message, { at: dockerfile.at, path: dockerfile.path })]
}

/** The .dockerignore that applies, '' when there is none. Its patterns are checked here, before anything is sent. */
const ignoreOf = async (
  { files }: FilePorts,
  folder: string,
  dockerfile: string | undefined,
  place: RecipePlace,
): Promise<Checked<string>> => {
  const names = [
    ...(dockerfile === undefined ? [] : [`${dockerfile}.dockerignore`]),
    resolvePath(folder, '.dockerignore'),
  ]
  for (const name of names) {
    const content = await files.read(name, place)()
    if (content._tag === 'Missing') continue
    return C.andThen((text: string): Checked<string> => {
      const written = ignorePatterns(text)
      if (written.length > mostIgnorePatterns) {
        return C.fail(error('DT4010', `${visible(name)} has more than ${mostIgnorePatterns} patterns`))
      }
      const patterns = compilePatterns(written)
      if (E.isRight(patterns)) return C.ok(text)
      const start = Math.max(0, text.indexOf(patterns.left))
      const at = { source: source(name, '.', text), start, end: start + patterns.left.length }
      return C.fail(error('DT4010', `the pattern "${cut(patterns.left, 100)}" cannot be read`, { at }))
    })(textContent(name, content, undefined))
  }
  return C.ok('')
}

const found = async (ports: FilePorts, image: Image, place: RecipePlace): Promise<Checked<Recipe>> => {
  const { context, dockerfile: named, dockerfileInline } = image
  const folder = resolvePath(place.cwd, context.value)
  if (dockerfileInline !== undefined) {
    const ignored = await ignoreOf(ports, context.value, undefined, place)
    return C.map((ignore: string): Recipe => ({ folder, text: dockerfileInline.value, ignore }))(ignored)
  }
  const kinds = await Promise.all(
    candidates(image, place).map(async (path) => ({ path, kind: await ports.files.kind(path)() })),
  )
  const paths = kinds.flatMap(({ kind, path }) => (kind === 'Missing' ? [] : [path]))
  const [path] = paths
  if (path === undefined) return C.fail(notThere(image, place))
  const at = place.isDirect === true ? undefined : (named ?? context).at
  const read = C.struct({
    text: textContent(path, await ports.files.read(path, place)(), at),
    ignore: await ignoreOf(ports, context.value, path, place),
  })
  const dockerfile = { folder: resolvePath(place.cwd, folderOf(path)), file: baseName(path), path }
  return C.andThen(({ ignore = '', text = '' }: C.ValueIn<typeof read>) =>
    C.note<Recipe>({ folder, dockerfile, text, ignore }, elsewhere(image, paths)),
  )(read)
}

/** `undefined` when the builder fetches the whole context. Finds DT4028, DT4032; warns DT4043. */
export const findRecipe = async (
  ports: FilePorts,
  image: Image,
  place: RecipePlace,
): Promise<Checked<Recipe | undefined>> => {
  const { context } = image
  if (isRemote(context.value)) return C.ok(undefined)
  const kind = await ports.files.kind(context.value)()
  if (kind === 'Folder') return found(ports, image, place)
  const what = kind === 'Missing' ? 'does not exist' : 'is not a folder'
  const message = `the build context ${context.value} ${what}`
  if (place.isDirect !== true) return C.fail(error('DT4032', message, { at: context.at, path: context.path }))
  return C.fail(
    error('DT4032', message, {
      help: 'the argument beside -f is the build context, the folder that files are copied from',
    }),
  )
}
