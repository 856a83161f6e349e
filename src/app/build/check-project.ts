/** `build --check`: the builder's findings about Dockerfiles. Nothing is built. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuildFacts } from '../../domain/build/args.ts'
import { buildFindings, lintFindings, textsOf } from '../../domain/build/findings.ts'
import type { Image } from '../../domain/build/image.ts'
import { solveOf } from '../../domain/build/solve-of.ts'
import * as C from '../../domain/checked.ts'
import { filesTaken } from '../../domain/compose/choose.ts'
import { type Diagnostic, error, inFileOrder, strict } from '../../domain/diagnostic/diagnostic.ts'
import { withTexts } from '../../domain/diagnostic/lines.ts'
import type { Builder } from '../../ports/builder.ts'
import type { Ports } from '../../ports/ports.ts'
import { writeReports } from '../reports/reports.ts'
import { answer, type Result } from '../result.ts'
import { builderFor, type ChosenBuilder } from './builder-for.ts'
import {
  type BuildChoice,
  type BuildSettings,
  type ChosenBuild,
  choiceOf,
  type ImageChoice,
  settingsFor,
} from './choice.ts'
import { typed } from './direct.ts'
import type { ImageOutcome } from './image.ts'
import { findRecipe, placeFor, placeIn } from './recipe.ts'
import type { BuildPorts } from './request.ts'
import { telling } from './telling.ts'

type CheckPorts = BuildPorts & Pick<Ports, 'home' | 'writer'>

/** `findings`: including those of the files that name the Dockerfiles. */
export type DockerfileCheck = { readonly findings: ReadonlyArray<Diagnostic> }

const warnings = (count: number): string => (count === 1 ? '1 warning' : `${count || 'no'} warnings`)

/**
 * The image without what only a build needs (secrets, keys, caches); images that a build would make first are replaced
 * by `scratch`.
 */
const withoutBuild = (image: Image, { chosen, flags }: Checking): readonly [Image, BuildFacts] => [
  { ...image, secrets: [], ssh: [], cacheFrom: [], exportCache: [] },
  {
    images: chosen.images,
    built: new Map(chosen.images.map(({ path }) => [path, 'scratch'])),
    variables: chosen.variables,
    flags: { ...flags, secrets: [], cacheFrom: [], exportCache: [] },
  },
]

type Checking = ChosenBuild & { readonly chosen: ImageChoice }

/** The findings of a build of this image, as far as they are known before it. */
const checkImage =
  (ports: CheckPorts, checking: Checking, builder: Builder) =>
  async (written: Image): Promise<Omit<ImageOutcome, 'built'>> => {
    const { direct, signal, wanted: options } = checking
    const place = { ...placeFor(options), isDirect: direct !== undefined }
    const [image, facts] = withoutBuild(written, checking)
    const told = telling(ports, { name: image.name, at: placeIn(place, image.at) }, undefined, [])
    told.state('Running', 'checking')
    const recipe = await findRecipe(ports, image, place)
    const found = C.valueOf(recipe)
    const solve = solveOf(image, {
      ...facts,
      ...{ cwd: place.cwd, names: [], output: 'Store', isDocker: builder.kind === 'Docker', root: place.root },
      dockerfile: found?.dockerfile,
    })
    const wanted = C.valueOf(solve)
    const wrong = [...C.findings(recipe), ...C.findings(solve)]
    if (wanted === undefined || C.hasErrors(wrong)) {
      told.end('Failed', 'failed')
      return { findings: wrong, texts: new Map() }
    }
    const dockerfile = found && {
      file: found.dockerfile?.path ?? `dockerfile_inline of ${image.name}`,
      text: found.text,
    }
    const about = { image: image.name, at: placeIn(place, image.at), dockerfile }
    const done = await builder.check(wanted, signal)()
    const { failure, lints } = E.isRight(done) ? done.right : { failure: done.left, lints: [] }
    if (failure !== undefined) told.end('Failed', 'failed')
    else told.end('Done', warnings(lints.length))
    const failures = failure === undefined ? [] : buildFindings(failure, about)
    return {
      findings: [...wrong, ...lintFindings(lints, about), ...failures],
      texts: textsOf(
        lints.flatMap(({ source }) => source ?? []),
        dockerfile,
      ),
    }
  }

const checkAll = async (
  ports: CheckPorts,
  checking: Checking,
  builder: ChosenBuilder,
): Promise<Omit<ImageOutcome, 'built'>> => {
  const { chosen, signal } = checking
  const connected = await builder.connect(signal)()
  if (E.isLeft(connected)) return { findings: buildFindings(connected.left, {}), texts: new Map() }
  const findings: Array<Diagnostic> = []
  const texts = new Map<string, string>()
  try {
    for (const image of chosen.asked) {
      const one = await checkImage(ports, checking, connected.right)(image)
      for (const found of one.findings) findings.push(found)
      for (const [file, text] of one.texts) texts.set(file, text)
      if (signal.aborted) break
    }
  } finally {
    connected.right.close()
  }
  return { findings: inFileOrder([], findings), texts }
}

const failing = (findings: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  const count = findings.filter(({ code }) => code === 'DT4040').length
  return count === 0 || C.hasErrors(findings) ? [] : [error('DT4035', `the check found ${warnings(count)}`)]
}

const checkedWith = async (
  ports: CheckPorts,
  check: ChosenBuild,
  { chosen, files, line }: BuildChoice,
  { builder, platform }: BuildSettings,
): Promise<Result<DockerfileCheck>> => {
  const { direct, reports, version, wanted } = check
  const choice = builderFor(ports)({ shell: wanted.shell, builder, platform })
  const [known, address] = [C.valueOf(chosen), C.valueOf(choice)]
  const before = [...C.findings(chosen), ...C.findings(choice)]
  for (const text of filesTaken(files)) ports.progress.tell({ _tag: 'Said', text })
  const outcome =
    known === undefined || address === undefined || C.hasErrors(before)
      ? { findings: [], texts: new Map<string, string>() }
      : await checkAll(ports, { ...check, chosen: known }, address)
  ports.progress.end()
  const all = [...before, ...(direct === undefined ? outcome.findings : typed(outcome.findings))]
  const found = wanted.isStrict ? strict(all) : all
  const findings = [...found, ...failing(found)]
  const told = [...findings, ...(await writeReports(ports, version)(reports, findings))]
  return {
    findings: told,
    value: { findings: told },
    line: withTexts(line, outcome.texts),
  }
}

export const checkProject =
  (ports: CheckPorts) =>
  (check: ChosenBuild): Promise<Result<DockerfileCheck>> =>
    answer(
      pipe(
        settingsFor(ports, check),
        TE.flatMapTask(
          (settings) => async () => checkedWith(ports, check, await choiceOf(ports, check, settings), settings),
        ),
      ),
    )
