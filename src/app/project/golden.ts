/** Compares a golden file, or folder, of manifests with what would be printed today. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { textOf } from '../../domain/compose/file-content.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { KubeObject } from '../../domain/k8s/types.ts'
import { type Action, partition } from '../../domain/plan/action.ts'
import { printManifests, printParts } from '../../domain/plan/manifests.ts'
import { placesIn, showLine } from '../../domain/plan/origins.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { unifiedDiff } from '../../domain/print/diff.ts'
import { type Line, printYamlLines } from '../../domain/print/yaml.ts'
import { normalise } from '../../domain/text/path.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, type Result } from '../result.ts'

/** The origin of each line of a printed object. */
export const originsOf = (
  { origins }: Action<'Apply'>,
  lines: ReadonlyArray<Line>,
): ReadonlyArray<string | undefined> => {
  const placeOf = placesIn(origins)
  return lines.map(({ path }) => {
    const place = placeOf(path)
    return place === undefined ? undefined : showLine(place)
  })
}

/** The origin of each line of the printed stream, by its number from 0. */
const notesOf = (plan: Plan): ReadonlyArray<string | undefined> => {
  const printed = new Map<KubeObject, ReadonlyArray<Line>>()
  const print = (object: KubeObject): string => {
    const lines = printYamlLines(object)
    printed.set(object, lines)
    return `${lines.map(({ text }) => text).join('\n')}\n`
  }
  return printParts(partition(plan.actions).Apply, false, print).flatMap(
    ({ apply, text }): ReadonlyArray<string | undefined> => {
      if (apply === undefined)
        return text
          .split('\n')
          .slice(1)
          .map(() => undefined)
      return originsOf(apply, printed.get(apply.object) ?? [])
    },
  )
}

/** Control characters except newlines are made visible: the golden file may contain anything. */
export const harmless = (text: string): string => text.split('\n').map(visible).join('\n')

/** A checkout on Windows may have changed line endings, which are ignored. */
export const unixLines = (text: string): string => text.replaceAll('\r\n', '\n')

const guessed = (environment: string): Diagnostic =>
  error('DT2002', `the environment name "${environment}" is only a guess that depends on the folder`, {
    help: `pass --name, or write name: ${environment} into the Compose file`,
  })

const missing = (file: string): Diagnostic =>
  error('DT2003', `the golden file ${file} does not exist`, { help: 'write it with --update' })

export const differs = (file: string): Diagnostic =>
  error('DT2004', `the manifests differ from ${file}`, { help: 'if the change is intended, accept it with --update' })

export type Golden = { readonly file: string; readonly isUpdate: boolean }

/** The result of the comparison. */
export type GoldenState =
  | { readonly _tag: 'Written' | 'Same'; readonly file: string }
  | { readonly _tag: 'Different'; readonly diff: string }

type GoldenPorts = Pick<Ports, 'files' | 'writer' | 'plainFolders'>

type WithFolder<A> = (ports: Pick<Ports, 'plainFolders'>, folder: string, plan: Plan) => Promise<A>

/** Operations on a folder of manifests; loaded on demand, since few dry runs have one. */
export type ManifestFolders = {
  readonly compare: WithFolder<Result<GoldenState>>
  readonly update: WithFolder<Result<GoldenState>>
  /** The names of the files that were changed. */
  readonly write: (
    ...call: [...Parameters<WithFolder<unknown>>, showSecrets: boolean]
  ) => TE.TaskEither<ReadonlyArray<Diagnostic>, ReadonlyArray<string>>
}
export type LoadFolders = () => Promise<ManifestFolders>

const updateFile = ({ writer }: GoldenPorts, file: string, text: string): Promise<Result<GoldenState>> =>
  answer(
    pipe(
      writer.replace(file, text),
      TE.map((): Result<GoldenState> => ({ findings: [], value: { _tag: 'Written', file } })),
    ),
  )

const compareFile = async (
  ports: GoldenPorts,
  { file, isUpdate }: Golden,
  plan: Plan,
): Promise<Result<GoldenState>> => {
  const now = printManifests(plan, false)
  if (isUpdate) return updateFile(ports, file, now)
  const content = await ports.files.read(file, {})()
  if (content._tag === 'Missing') return { findings: [missing(file)] }
  const text = content._tag === 'File' ? textOf(content.bytes) : undefined
  if (text === undefined) return { findings: [error('DT1007', `cannot read ${file}`)] }
  const before = unixLines(text)
  if (before === now) return { findings: [], value: { _tag: 'Same', file } }
  const notes = notesOf(plan)
  const diff = unifiedDiff({ from: file, to: 'now' }, before, now, (line) => notes[line - 1])
  return { findings: [differs(file)], value: { _tag: 'Different', diff: harmless(diff) } }
}

/** Finds DT2002 (guessed name), DT2003 (no such file), DT2004 (differs); of a folder DT2007, too. */
export const compareGolden =
  (ports: GoldenPorts, folders: LoadFolders) =>
  async (golden: Golden, plan: Plan, isGuessed: boolean): Promise<Result<GoldenState>> => {
    if (isGuessed) return { findings: [guessed(plan.environment)] }
    const kind = await ports.files.kind(golden.file)()
    if (kind !== 'Folder' && !golden.file.endsWith('/')) return compareFile(ports, golden, plan)
    const { compare, update } = await folders()
    return (golden.isUpdate ? update : compare)(ports, normalise(golden.file), plan)
  }
