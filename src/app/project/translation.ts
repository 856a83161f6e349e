/**
 * From file names to a plan, as one pure computation: it yields what it has to know of the world and is resumed when the
 * answers are in the store. The command answers from the disk, the library from a map.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Image } from '../../domain/build/image.ts'
import { sameNames } from '../../domain/build/same-name.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { type Assembly, assemble, type Request } from '../../domain/compose/assemble.ts'
import { type Chosen, candidates, chooseFiles } from '../../domain/compose/choose.ts'
import { textOf } from '../../domain/compose/files.ts'
import type { Model } from '../../domain/compose/model.ts'
import { readModel } from '../../domain/compose/read/project.ts'
import { readVariables, variablesFrom } from '../../domain/compose/variables.ts'
import { type Diagnostic, error, inFileOrder, strict, withoutConsequences } from '../../domain/diagnostic/diagnostic.ts'
import type { Manifest } from '../../domain/manifest/model.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { baseName, resolvePath } from '../../domain/text/path.ts'
import { STDIN, source } from '../../domain/text/source.ts'
import { translate } from '../../domain/translate/translate.ts'
import type { Variables } from '../../domain/yaml/interpolate.ts'
import { type Asking, type Store, settle } from './asking.ts'
import { givenName, withLegalName } from './environment-name.ts'
import { guessName } from './guess.ts'
import { choiceOf, type Found, findManifest, withEndpoints } from './manifest.ts'
import { readSettings, type Settings } from './settings.ts'

/**
 * What the user wants. `cwd` is absolute, with forward slashes; `guess`, when given, is the last resort for a name and no
 * repository is looked for. `settings` are those of the command line, which win over variables.
 */
export type Wanted = {
  readonly cwd: string
  readonly files: ReadonlyArray<string>
  readonly envFiles?: ReadonlyArray<string> | undefined
  readonly name?: string | undefined
  readonly guess?: string | undefined
  readonly given: ReadonlyMap<string, string>
  readonly shell: ReadonlyMap<string, string>
  readonly separator: string
  readonly services: ReadonlyArray<string>
  readonly settings: Partial<Settings>
  /** What the context says: flags and variables win over it. */
  readonly defaults?: Partial<Settings> | undefined
  readonly isConfined: boolean
  readonly isStrict: boolean
  /** Images that were built: references by `path` of the {@link Image}, `repository:tag@digest` or without digest. */
  readonly built?: ReadonlyMap<string, string> | undefined
  /** `false`: nobody asks where the parts of the objects come from. */
  readonly withOrigins?: boolean
}

/** `findings` are in file order. `plan` is there only when nothing is wrong. */
export type Translation = {
  readonly findings: ReadonlyArray<Diagnostic>
  readonly chosen?: Chosen
  readonly plan?: Plan
  /** When one of the files is a manifest with nothing wrong in it, whatever is wrong in the Compose files that it names. */
  readonly manifest?: Manifest
  readonly settings?: Settings
  /** What is to be built: of the whole manifest, then of the services that are to be deployed. */
  readonly images: ReadonlyArray<Image>
  /** Those of the project: of the command line, the shell, env files, the manifest. */
  readonly variables?: Variables
  /** The name is that of the folder or repository: nobody wrote it down. */
  readonly isGuessed: boolean
  /** Services that profiles switch off, by the names of their objects. */
  readonly switchedOff?: ReadonlyArray<string>
}

/** COMPOSE_FILE and its separator may stand in the `.env` of this folder, which is read only when it matters. */
function* listedFiles(
  { shell, separator }: Wanted,
  store: Store,
): Asking<Pick<Wanted, 'separator'> & { listed?: string | undefined }> {
  const fromShell = shell.get('COMPOSE_FILE')
  if (fromShell !== undefined) return { listed: fromShell, separator: shell.get('COMPOSE_PATH_SEPARATOR') || separator }
  yield { _tag: 'Read', paths: ['.env'], folder: '.' }
  const content = store.contents.get('.env')
  const text = content?._tag === 'File' ? textOf(content.bytes) : undefined
  if (text === undefined) return { separator }
  const variables = C.valueOf(readVariables(source('.env', '.', text), variablesFrom(shell))) ?? []
  const last = (name: string) => variables.findLast((variable) => variable.name === name)?.value
  const between = shell.get('COMPOSE_PATH_SEPARATOR') || last('COMPOSE_PATH_SEPARATOR') || separator
  return { listed: last('COMPOSE_FILE'), separator: between }
}

/** `-` means the standard input where files of the project are named. */
const fileOf = (path: string): string => (path === '-' ? STDIN : path)

const filesOf = (listed: string, separator: string): string => listed.split(separator).map(fileOf).join(separator)

export function* choosing(wanted: Wanted, store: Store): Asking<E.Either<Diagnostic, Chosen>> {
  const isGiven = wanted.files.length > 0
  if (!isGiven) yield { _tag: 'Look', paths: candidates }
  const { listed, separator }: Pick<Wanted, 'separator'> & { listed?: string | undefined } = isGiven
    ? wanted
    : yield* listedFiles(wanted, store)
  return chooseFiles({
    listed: listed === undefined ? undefined : filesOf(listed, separator),
    separator,
    given: wanted.files.map(fileOf),
    isFile: (path) => store.kinds.get(path) === 'File',
    isFolder: (path) => store.kinds.get(path) === 'Folder',
  })
}

/** Without `files` only the variables of the folder count. */
export function* requestOf(wanted: Wanted, { files, folder }: Chosen, store: Store): Asking<Request> {
  const name = givenName(wanted)?.text
  const isNamed = name !== undefined || Boolean(wanted.shell.get('COMPOSE_PROJECT_NAME')) || wanted.guess !== undefined
  const full = resolvePath(wanted.cwd, folder)
  const repository = isNamed ? undefined : yield* guessName(wanted.isConfined ? undefined : full, folder, store)
  const { envFiles, given, shell } = wanted
  return {
    files: files.map((path) => ({ path })),
    folder,
    name,
    guess: wanted.guess ?? repository ?? baseName(full),
    envFiles,
    given,
    shell,
    platform: new Map(),
  }
}

const unfinished = error('DT9001', 'files are still missing')

const translated = (
  { profiles: _profiles, registry: _registry, ...target }: Settings,
  model: Checked<Model>,
  withOrigins: boolean,
): Checked<Plan> =>
  pipe(
    model,
    C.andThen((read) => translate({ ...target, environment: read.environment, withOrigins }, read)),
  )

/** The model of the files, with everything found on the way there. */
type Read = {
  readonly manifest?: Manifest
  /** Those of the manifest, even when something in it is wrong. */
  readonly written?: ReadonlyArray<Image> | undefined
  readonly variables?: Variables
  readonly model: Checked<Model>
  readonly order: ReadonlyArray<string>
  readonly isGuessed: boolean
  readonly settings?: Settings
}

const unread = (found: Diagnostic, order: ReadonlyArray<string> = []): Read => ({
  model: C.fail(found),
  order,
  isGuessed: false,
})

const after = (before: ReadonlyArray<Diagnostic>, model: Checked<Model>): Checked<Model> =>
  pipe(
    C.note(undefined, before),
    C.andThen(() => model),
  )

type Done = Extract<Assembly, { readonly _tag: 'Done' }>

/** The model of an assembled project. */
function* modelling(wanted: Wanted, found: Found, { files: order, project }: Done, store: Store): Asking<Read> {
  if (project._tag === 'Left') return { model: after(found.findings, project), order, isGuessed: false }
  const named = withLegalName(givenName(wanted), project.right)
  const routed = withEndpoints(C.valueOf(named) ?? project.right, found)
  const value = C.valueOf(routed) ?? project.right
  const checked = readSettings(wanted.settings, value.variables, wanted.defaults)
  const chosen = choiceOf(value, found)
  const { profiles = [], registry } = C.valueOf(checked) ?? {}
  const only = wanted.services
  const choice = {
    services: [],
    ...C.valueOf(chosen),
    only,
    profiles,
    registry,
    built: wanted.built,
    mayBeEmpty: found.isManifest,
  }
  const model = yield* settle(store, found.request.folder, (files) => readModel(value, choice, files))
  if (E.isLeft(model)) return unread(model.left, order)
  const before = [named, routed, checked, chosen, project].flatMap((one) => C.findings<unknown>(one))
  const settings = C.valueOf(checked)
  return {
    model: after([...found.findings, ...before], model.right),
    order,
    isGuessed: value.isGuessed,
    variables: value.variables,
    ...(settings === undefined ? {} : { settings }),
  }
}

function* reading(wanted: Wanted, chosen: Chosen, store: Store): Asking<Read> {
  const request = yield* requestOf(wanted, chosen, store)
  const { built, defaults, settings } = wanted
  const around = { ...request, registry: settings.registry, remembered: defaults?.registry, built }
  const found = yield* findManifest(request, store, around)
  const assembly = yield* settle(store, chosen.folder, (files) => assemble(found.request, found.view(files)))
  if (E.isLeft(assembly)) return unread(assembly.left)
  if (assembly.right._tag === 'Needs') return unread(unfinished)
  const read = yield* modelling(wanted, found, assembly.right, store)
  const own = { ...read, written: found.images }
  return found.manifest === undefined ? own : { ...own, manifest: found.manifest }
}

/** What was made for a chart or manifests is read as if it stood in the file that they were found by. */
export const withMade = (chosen: Chosen, store: Store): Chosen => {
  const [file] = chosen.files
  if (chosen.made !== undefined && file !== undefined) {
    store.contents.set(file, { _tag: 'File', bytes: new TextEncoder().encode(chosen.made.text) })
  }
  return chosen
}

/** The whole way. Finds everything that is wrong in one run. */
export function* translating(wanted: Wanted, store: Store): Asking<Translation> {
  const choice = yield* choosing(wanted, store)
  if (E.isLeft(choice)) return { findings: [choice.left], images: [], isGuessed: false }
  const chosen = withMade(choice.right, store)
  const { isGuessed, manifest, model, order, settings, variables, written = [] } = yield* reading(wanted, chosen, store)
  // The trees are read; a large project should not hold them while it is translated.
  store.cache.clear()
  const checked: Checked<Plan | undefined> =
    settings === undefined ? C.map(() => undefined)(model) : translated(settings, model, wanted.withOrigins ?? true)
  const services = C.valueOf(model)?.images ?? []
  const sorted = inFileOrder(
    order,
    withoutConsequences([...C.findings(checked), ...sameNames([...written, ...services])]),
  )
  const findings = wanted.isStrict ? strict(sorted) : sorted
  const plan = C.hasErrors(findings) ? undefined : C.valueOf(checked)
  return {
    findings,
    chosen,
    isGuessed,
    images: [...(manifest?.build ?? []), ...services],
    switchedOff: C.valueOf(model)?.switchedOff ?? [],
    ...(variables === undefined ? {} : { variables }),
    ...(manifest === undefined ? {} : { manifest }),
    ...(settings === undefined ? {} : { settings }),
    ...(plan === undefined ? {} : { plan }),
  }
}
