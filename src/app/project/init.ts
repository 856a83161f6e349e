/** `init`: a manifest for the folder, from what lies in it and, where somebody can be asked, what they say. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { projectFolder } from '../../domain/compose/choose.ts'
import { textOf } from '../../domain/compose/files.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import {
  type Built,
  deeperFolders,
  guessBuilt,
  guessWays,
  type Snapshot,
  type Way,
  wantedTexts,
} from '../../domain/init/guess.ts'
import { showManifest } from '../../domain/init/manifest.ts'
import { dnsLabel } from '../../domain/text/dns-name.ts'
import { baseName, resolvePath } from '../../domain/text/path.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Result } from '../result.ts'
import { guessName } from './guess.ts'
import { noFilesRead, settling } from './reading.ts'

/** `isDevOnly`: only a development container, as `-v1` made it. `isAsking`: not with `--yes`. */
export type Init = {
  readonly cwd: string
  readonly file: string
  readonly name?: string
  readonly isReplacing: boolean
  readonly isDevOnly: boolean
  readonly isAsking: boolean
}

type Needs = Pick<Ports, 'files' | 'folders' | 'prompt' | 'writer'>

/** Not the user's own, or too many. */
const skipped = /^(?:\.|node_modules$|vendor$|dist$|build$|target$|venv$|__pycache__$)/
const mostFolders = 100

const lookAround = async ({ files, folders }: Needs, root: string): Promise<Snapshot> => {
  const here = await folders.list(root)()
  const below = [...here.folders.filter((name) => !skipped.test(name)).slice(0, mostFolders), ...deeperFolders]
  const listed = await Promise.all(
    below.map(async (path) => [path, (await folders.list(resolvePath(root, path))()).files] as const),
  )
  const names = new Map([['.', here.files] as const, ...listed])
  const texts = await Promise.all(
    wantedTexts(names).map(async (path) => {
      const content = await files.read(resolvePath(root, path), {})()
      return [path, (content._tag === 'File' ? textOf(content.bytes) : undefined) ?? ''] as const
    }),
  )
  return { folders: names, texts: new Map(texts) }
}

const guessEnvironment = async (ports: Needs, folder: string): Promise<string> => {
  const settle = settling(ports, noFilesRead(), false)
  const repository = await settle('.', (files) => guessName(folder, '.', files))
  return dnsLabel(repository ?? baseName(folder))
}

const titleOf = (way: Way): string => {
  switch (way._tag) {
    case 'Compose':
      return `the services of ${way.file}`
    case 'Chart':
      return `the Helm chart in ${way.folder}`
    case 'Manifests':
      return `the manifests in ${way.folder}`
    case 'Images':
      return 'one service for each Dockerfile'
    case 'Nothing':
      return 'an example'
    case 'DevOnly':
      return 'nothing'
  }
}

type Answers = { readonly name: string; readonly way: Way; readonly hasDev: boolean }

/** What was answered; where nobody can be asked, the guess. */
const orGuess = async <A>(asked: TE.TaskEither<Diagnostic, A>, guess: A): Promise<E.Either<Diagnostic, A>> => {
  const answer = await asked()
  return E.isLeft(answer) && answer.left.code === 'DT2101' ? E.right(guess) : answer
}

const askDev = async ({ prompt }: Needs, built: ReadonlyArray<Built>): Promise<E.Either<Diagnostic, boolean>> => {
  const known = built.flatMap(({ language, name }) => (language === undefined ? [] : [`${name} (${language.name})`]))
  if (known.length === 0) return E.right(true)
  const text = `add development containers for ${known.join(', ')}`
  const choices = [
    { value: 'yes', text: 'yes' },
    { value: 'no', text: 'no' },
  ]
  const chosen = await orGuess(prompt.choose({ text, flag: '--yes' }, choices), 'yes')
  return E.isLeft(chosen) ? chosen : E.right(chosen.right === 'yes')
}

const askWay = async ({ prompt }: Needs, ways: ReadonlyArray<Way>): Promise<E.Either<Diagnostic, Way>> => {
  const [first = { _tag: 'Nothing' as const }, ...others] = ways
  if (others.length === 0) return E.right(first)
  const choices = ways.map((way, index) => ({ value: String(index), text: titleOf(way) }))
  const chosen = await orGuess(prompt.choose({ text: 'what is to be deployed', flag: '--yes' }, choices), '0')
  return E.isLeft(chosen) ? chosen : E.right(ways[Number(chosen.right)] ?? first)
}

const answers = async (
  ports: Needs,
  { cwd, file, isAsking, isDevOnly, name }: Init,
  snapshot: Snapshot,
): Promise<E.Either<Diagnostic, Answers>> => {
  const ways: ReadonlyArray<Way> = isDevOnly ? [{ _tag: 'DevOnly' }] : guessWays(snapshot)
  const guess = name ?? (await guessEnvironment(ports, resolvePath(cwd, projectFolder(file))))
  const [first = { _tag: 'Nothing' as const }] = ways
  if (!isAsking) return E.right({ name: dnsLabel(guess), way: first, hasDev: true })
  const question = { text: 'name of the environment', flag: '--name' }
  const named = name === undefined ? await orGuess(ports.prompt.ask(question, guess), guess) : E.right(name)
  if (E.isLeft(named)) return named
  const way = await askWay(ports, ways)
  if (E.isLeft(way)) return way
  const legal = dnsLabel(named.right)
  const hasDev = isDevOnly ? E.right(true) : await askDev(ports, guessBuilt(snapshot, way.right, legal))
  return E.isLeft(hasDev) ? hasDev : E.right({ name: legal, way: way.right, hasDev: hasDev.right })
}

const summary = (way: Way, built: ReadonlyArray<Built>): string => {
  const languages = [...new Set(built.flatMap(({ language }) => (language === undefined ? [] : [language.name])))]
  const dev = languages.length === 0 ? '' : `, with development containers for ${languages.join(', ')}`
  return `deploys ${titleOf(way)}${dev}`
}

/** Finds DT3404 when there is a manifest already, DT2006 when it cannot be written. */
export const init =
  (ports: Needs) =>
  async (wanted: Init): Promise<Result<never>> => {
    const { file, isReplacing } = wanted
    const kind = await ports.files.kind(file)()
    if (kind !== 'Missing' && !isReplacing) {
      const help = 'add --replace to overwrite it, or name another file with --file'
      return { findings: [error('DT3404', `${file} exists already`, { help })] }
    }
    const snapshot = await lookAround(ports, projectFolder(file))
    const answered = await answers(ports, wanted, snapshot)
    if (E.isLeft(answered)) return { findings: [answered.left] }
    const { hasDev, name, way } = answered.right
    const built = guessBuilt(snapshot, way, name)
    const written = await ports.writer.replace(file, showManifest({ name, way, built, hasDev }))()
    if (E.isLeft(written)) return { findings: [written.left] }
    return {
      findings: [],
      said: [`${file} ${summary(way, hasDev ? built : [])}`, 'next: `devtool validate`, then `devtool deploy`'],
    }
  }
