/** `init`: writes a manifest for the folder, from the files in it and, with a terminal, from the user's answers. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { projectFolder } from '../../domain/compose/choose.ts'
import { textOf } from '../../domain/compose/file-content.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import {
  type Built,
  type DeployMethod,
  deeperFolders,
  guessBuilt,
  guessWays,
  type Snapshot,
  wantedTexts,
} from '../../domain/init/guess.ts'
import { showManifest } from '../../domain/init/manifest.ts'
import { methodTitle } from '../../domain/init/title.ts'
import { dnsLabel } from '../../domain/text/dns-name.ts'
import { baseName, resolvePath } from '../../domain/text/path.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, type Result } from '../result.ts'
import { guessName } from './guess.ts'
import { noFilesRead, settling } from './reading.ts'

/** `isDevOnly`: only a development container, as with `-v1`. `isAsking`: false with `--yes`. */
export type InitOptions = {
  readonly cwd: string
  readonly file: string
  readonly name?: string
  readonly isReplacing: boolean
  readonly isDevOnly: boolean
  readonly isAsking: boolean
}

type Needs = Pick<Ports, 'files' | 'folders' | 'prompt' | 'writer'>

/** Folders that are not the user's own, or too large. */
const skipped = /^(?:\.|node_modules$|vendor$|dist$|build$|target$|venv$|__pycache__$)/
const mostFolders = 100

const takeSnapshot = async ({ files, folders }: Needs, root: string): Promise<Snapshot> => {
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
  const settle = settling(ports, noFilesRead(new Map()), false)
  const repository = await settle('.', (files) => guessName(folder, '.', files))
  return dnsLabel(repository ?? baseName(folder))
}

type Answers = { readonly name: string; readonly way: DeployMethod; readonly hasDev: boolean }

/** The user's answer, or the guess without a terminal. */
const orGuess = <A>(asked: TE.TaskEither<Diagnostic, A>, guess: A): TE.TaskEither<Diagnostic, A> =>
  pipe(
    asked,
    TE.orElse((failure) => (failure.code === 'DT2101' ? TE.of(guess) : TE.left(failure))),
  )

const askDev = ({ prompt }: Needs, built: ReadonlyArray<Built>): TE.TaskEither<Diagnostic, boolean> => {
  const known = built.flatMap(({ language, name }) => (language === undefined ? [] : [`${name} (${language.name})`]))
  if (known.length === 0) return TE.of(true)
  const text = `add development containers for ${known.join(', ')}`
  const choices = [
    { value: 'yes', text: 'yes' },
    { value: 'no', text: 'no' },
  ]
  return pipe(
    orGuess(prompt.choose({ text, flag: '--yes' }, choices), 'yes'),
    TE.map((chosen) => chosen === 'yes'),
  )
}

const nothing: DeployMethod = { _tag: 'Nothing' }

const askWay = ({ prompt }: Needs, ways: ReadonlyArray<DeployMethod>): TE.TaskEither<Diagnostic, DeployMethod> => {
  const [first = nothing, ...others] = ways
  if (others.length === 0) return TE.of(first)
  const choices = ways.map((way, index) => ({ value: String(index), text: methodTitle(way) }))
  return pipe(
    orGuess(prompt.choose({ text: 'what is to be deployed', flag: '--yes' }, choices), '0'),
    TE.map((chosen) => ways[Number(chosen)] ?? first),
  )
}

const answers = (
  ports: Needs,
  { isAsking, isDevOnly, name }: InitOptions,
  snapshot: Snapshot,
  guess: string,
): TE.TaskEither<Diagnostic, Answers> => {
  const ways: ReadonlyArray<DeployMethod> = isDevOnly ? [{ _tag: 'DevOnly' }] : guessWays(snapshot)
  const [first = nothing] = ways
  if (!isAsking) return TE.of({ name: dnsLabel(guess), way: first, hasDev: true })
  const question = { text: 'name of the environment', flag: '--name' }
  return pipe(
    name === undefined ? orGuess(ports.prompt.ask(question, guess), guess) : TE.of(name),
    TE.map(dnsLabel),
    TE.bindTo('name'),
    TE.bind('way', () => askWay(ports, ways)),
    TE.bind('hasDev', (so) => (isDevOnly ? TE.of(true) : askDev(ports, guessBuilt(snapshot, so.way, so.name)))),
  )
}

/** `languages`: those of the development containers in the manifest. */
export type WrittenManifest = {
  readonly file: string
  readonly way: DeployMethod
  readonly languages: ReadonlyArray<string>
}

const languagesOf = (built: ReadonlyArray<Built>): ReadonlyArray<string> => [
  ...new Set(built.flatMap(({ language }) => (language === undefined ? [] : [language.name]))),
]

/** Finds DT3404 when there is a manifest already, DT2006 when it cannot be written. */
export const init =
  (ports: Needs) =>
  async (wanted: InitOptions): Promise<Result<WrittenManifest>> => {
    const { file, isReplacing } = wanted
    const kind = await ports.files.kind(file)()
    if (kind !== 'Missing' && !isReplacing) {
      const help = 'add --replace to overwrite it, or name another file with --file'
      return { findings: [error('DT3404', `${file} exists already`, { help })] }
    }
    const snapshot = await takeSnapshot(ports, projectFolder(file))
    const guess = wanted.name ?? (await guessEnvironment(ports, resolvePath(wanted.cwd, projectFolder(file))))
    const work = pipe(
      answers(ports, wanted, snapshot, guess),
      TE.let('built', ({ name, way }) => guessBuilt(snapshot, way, name)),
      TE.tap((manifest) => ports.writer.replace(file, showManifest(manifest))),
      TE.map(({ built, hasDev, way }) => ({
        findings: [],
        value: { file, way, languages: hasDev ? languagesOf(built) : [] },
      })),
    )
    return answer(work)
  }
