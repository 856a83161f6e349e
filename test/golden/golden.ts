/**
 * Golden files: what a folder of inputs must give, kept as text. `UPDATE_GOLDENS=1` writes them; without it a golden that
 * is missing, differs, or belongs to nothing any more fails.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ProjectOptions } from '../../src/app/project/choose.ts'
import type { Translation } from '../../src/app/project/translation.ts'
import { plannedImages } from '../../src/domain/build/show.ts'
import { linesOf } from '../../src/domain/diagnostic/lines.ts'
import { showDiagnostic } from '../../src/domain/diagnostic/show.ts'
import type { Manifest } from '../../src/domain/manifest/model.ts'
import { showPlan } from '../../src/domain/plan/show.ts'
import { placeOf, source } from '../../src/domain/text/source.ts'
import { type Files, manifestsOf, translateFiles } from '../support/compose/project.ts'

const isUpdate = process.env['UPDATE_GOLDENS'] !== undefined

/** Folders are below the one of this file; paths are from the root of the project. */
export const goldenFolder = 'test/golden'

export const foldersIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()

const isInput = (path: string): boolean => path !== 'args.json' && !path.startsWith('expected.')

/** Every file below the folder but goldens and `args.json`, by its path in the folder. */
export const inputsIn = (folder: string): Files =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath.replaceAll('\\', '/'), entry.name).slice(folder.length + 1))
      .filter(isInput)
      .toSorted()
      .map((path): [string, Uint8Array] => [path, readFileSync(join(folder, path))]),
  )

const Strings = t.record(t.string, t.string)

/** A request to the platform, sent so many times. `as`: a person of the test platform. `builder`: its build service. */
const PlatformRequest = t.intersection([
  t.type({ method: t.string, path: t.string }),
  t.partial({
    as: t.string,
    headers: Strings,
    body: t.unknown,
    times: t.number,
    builder: t.keyof({ none: null, starting: null }),
  }),
])

/**
 * `args.json`: what the command line and the environment say. `argv` runs the command line itself, `up` plans the first
 * section, `request` asks the platform, `settings` are environment variables of the platform's program,
 * `run` is what the controller finds of a run, or what git said to it.
 */
const Args = t.exact(
  t.partial({
    files: t.array(t.string),
    envFiles: t.array(t.string),
    name: t.string,
    services: t.array(t.string),
    profiles: t.array(t.string),
    given: Strings,
    shell: Strings,
    namespace: t.string,
    domain: t.string,
    registry: t.string,
    ingressClass: t.string,
    tlsSecret: t.string,
    strict: t.boolean,
    argv: t.array(t.string),
    up: t.partial({ takesOver: t.boolean, isRunning: t.boolean }),
    request: PlatformRequest,
    settings: Strings,
    run: t.intersection([t.type({ now: t.string }), t.partial({ clone: t.string })]),
  }),
  'args.json',
)
export type Args = t.TypeOf<typeof Args>

export const argsIn = (folder: string): Args => {
  const file = join(folder, 'args.json')
  if (!existsSync(file)) return {}
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const read = Args.decode(json)
  if (read._tag === 'Left' || !t.UnknownRecord.is(json)) throw new Error(`${file} has a value of another type`)
  const unknown = Object.keys(json).find((key) => !(key in read.right))
  if (unknown !== undefined) throw new Error(`${file}: unknown key "${unknown}"`)
  return read.right
}

const mapOf = (record: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> =>
  new Map(Object.entries(record))

const wantedOf = (args: Args): Partial<ProjectOptions> => {
  const { domain, ingressClass, namespace, profiles, registry, tlsSecret } = args
  const settings = { domain, ingressClass, namespace, profiles, registry, tlsSecret }
  return {
    files: args.files ?? [],
    envFiles: args.envFiles,
    name: args.name,
    services: args.services ?? [],
    given: mapOf(args.given),
    shell: mapOf(args.shell),
    isStrict: args.strict ?? false,
    settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
  }
}

export const translationOf = (files: Files, args: Args): Translation => translateFiles(files, wantedOf(args))

export const textOf = (content: string | Uint8Array | undefined): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content)

/** The findings as the command prints them, without colour. */
export const findingsText = ({ findings }: Pick<Translation, 'findings'>, files: Files): string => {
  const line = linesOf((file) => (file in files ? textOf(files[file]) : undefined))
  return findings.map((d) => `${showDiagnostic(d, { line, color: false })}\n`).join('')
}

const Spanned = t.type({ source: t.type({ file: t.string, text: t.string }), start: t.number, end: t.number })

/** `value (line:col)` for what is written, paths left out, and trees as the text they stand in. */
const shortened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shortened)
  if (!t.UnknownRecord.is(value)) return value
  const { at, path: _path, ...rest } = value
  if (at === undefined && Spanned.is(value)) return value.source.text.slice(value.start, value.end)
  const own = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, shortened(member)]))
  if (!Spanned.is(at)) return own
  const { col, line } = placeOf({ ...at, source: source(at.source.file, '.', at.source.text) })
  const { value: text, ...more } = own
  const isPlain = typeof text === 'string' || typeof text === 'number' || typeof text === 'boolean'
  return isPlain && Object.keys(more).length === 0 ? `${text} (${line}:${col})` : { at: `${line}:${col}`, ...own }
}

/** What a manifest means, one value a line. */
const manifestText = (manifest: Manifest): string => `${JSON.stringify(shortened(manifest), undefined, 2)}\n`

const plannedOf = ({ images, plan, settings }: Translation) =>
  plannedImages(images, { environment: plan?.environment ?? '', registry: settings?.registry })

/** By file name: the manifests, Secrets with their values, and the findings followed by the plan. */
export type Goldens = Readonly<Record<string, string>>

export const goldensOf = (translation: Translation, files: Files): Goldens => {
  const found = findingsText(translation, files)
  const { manifest, plan } = translation
  const read = manifest === undefined ? {} : { 'expected.json': manifestText(manifest) }
  if (plan === undefined) return { 'expected.txt': found, ...read }
  const between = found === '' ? '' : '\n'
  const text = showPlan(plan, plannedOf(translation))
  const planned = text === '' ? '' : `${between}${text}`
  return { 'expected.txt': `${found}${planned}`, 'expected.yaml': manifestsOf(translation), ...read }
}

/** Every golden of the folder, and no other. */
export const compareGoldens = (folder: string, goldens: Goldens): void => {
  const kept = readdirSync(folder).filter((name) => name.startsWith('expected.'))
  if (isUpdate) {
    for (const name of kept.filter((file) => !(file in goldens))) rmSync(join(folder, name))
    for (const [name, text] of Object.entries(goldens)) writeFileSync(join(folder, name), text)
    return
  }
  assert.equal(kept.toSorted(), Object.keys(goldens).toSorted(), `${folder}: run npm run goldens, then read the change`)
  for (const [name, text] of Object.entries(goldens)) assert.fixture(text, readFileSync(join(folder, name), 'utf8'))
}
