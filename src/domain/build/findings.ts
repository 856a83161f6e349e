/** A builder's failures and warnings, in terms of the user's files and with places in them. */

import type { Code } from '../diagnostic/codes.ts'
import { type Diagnostic, error, placed, warning } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { showDuration } from '../progress/text.ts'
import { harmless } from '../text/harmless.ts'
import type { Place } from '../text/source.ts'
import { type Dockerfile, findIn, stagesIn } from './dockerfile-text.ts'
import type { Lint, SourcePart } from './event.ts'
import type { BuildFailure } from './failure.ts'
import { type Meaning, meaningOf, plainMessage, pushMeaning } from './failure-rules.ts'
import { shortCause, troubleOf } from './registry-trouble.ts'

/**
 * `image` is absent where it does not matter which one it was. `at`: where the user's file asks for the build;
 * `target`: where it names a stage. `step`: the name of the vertex that failed; `lines`: its last output. `files`:
 * paths of the context, as far as they are known.
 */
export type BuildAbout = {
  readonly image?: string
  readonly at?: Place | undefined
  readonly target?: Place | undefined
  readonly dockerfile?: Dockerfile | undefined
  readonly step?: string | undefined
  readonly lines?: ReadonlyArray<string>
  readonly files?: ReadonlyArray<string>
}

type Failed = Extract<BuildFailure, { readonly _tag: 'Failed' }>

const subject = ({ image }: Pick<BuildAbout, 'image'>, message: string): string =>
  image === undefined ? message : `image ${image}: ${message}`

/** Findings are printed without colours, and a step's output lines may be far too long for them. */
const mostLength = 300
const shownLine = (text: string): string => {
  const line = harmless(text.replaceAll('\t', '    '), false)
  return line.length <= mostLength ? line : `${line.slice(0, mostLength)}…`
}

const withOutput = (message: string, { lines = [] }: BuildAbout): string =>
  lines.length === 0 ? message : [`${message}; its last output:`, ...lines.map(shownLine)].join('\n')

const found = (about: BuildAbout, at: Place | undefined, { code, hasOutput, help, message }: Meaning): Diagnostic => {
  const text = subject(about, message)
  const words = hasOutput === true ? withOutput(text, about) : text
  const asked = code === 'DT4007' ? (about.target ?? about.at) : about.at
  return placed(at ?? asked, error(code, words, { help }))
}

/** How older daemons prefix errors in the Dockerfile itself. */
const FRONTEND = /failed to create LLB definition:/

const failedFinding = (failure: Failed, about: BuildAbout): Diagnostic => {
  const { exitCode, sources, vertex } = failure
  const { dockerfile, files = [], lines = [], step } = about
  const [part] = sources
  const isRun = exitCode !== undefined || /exit code: \d+/.test(failure.message)
  const where = findIn(dockerfile, part, { step })
  const text = part?.text ?? dockerfile?.text ?? ''
  const meaning = meaningOf(plainMessage(failure.message), {
    ...{ words: where?.words ?? '', step: step ?? '', lines, files, stages: stagesIn(text) },
    isReading: vertex === undefined && !isRun && (part !== undefined || FRONTEND.test(failure.message)),
    ...defined({ exitCode }),
  })
  const at = where?.at ?? findIn(dockerfile, undefined, { line: meaning.line })?.at
  return found(about, at, meaning)
}

const plainFinding = (about: BuildAbout, code: Code, message: string, help?: string): Diagnostic =>
  placed(about.at, error(code, subject(about, message), { help }))

/** An option is named as on the command line or in the file. */
const unusableCode = (what: string, cause: string): Code => {
  if (/^(?:--|option\b)/.test(what)) return 'DT4024'
  if (/^certificates\b/.test(what)) return 'DT4023'
  return /^secret\b/.test(what) && /no such file|ENOENT|not set/.test(cause) ? 'DT4015' : 'DT4010'
}

/** Total: any failure becomes at least one finding, at its place in the Dockerfile if that is known. */
export const buildFindings = (failure: BuildFailure, about: BuildAbout): ReadonlyArray<Diagnostic> => {
  switch (failure._tag) {
    case 'Missing':
      return [plainFinding(about, 'DT6021', failure.cause, failure.help)]
    case 'Unreachable':
      return [
        plainFinding(
          about,
          'DT4001',
          `the builder at ${failure.address} cannot be reached: ${failure.cause}`,
          failure.help,
        ),
      ]
    case 'Silent': {
      const { address, afterMs, isAtStart } = failure
      const what = isAtStart
        ? 'accepted the connection but did not respond'
        : 'stopped responding: nothing came from it'
      const help = 'it may be frozen or overloaded: check that it is running, or restart it'
      const message = `the builder at ${address} ${what} for ${showDuration(afterMs)}`
      return [plainFinding(about, 'DT4002', message, help)]
    }
    case 'Lost': {
      const help = 'check whether it was restarted; finished steps are in its cache'
      return [plainFinding(about, 'DT4003', `the connection to ${failure.address} broke: ${failure.cause}`, help)]
    }
    case 'Failed':
      return [failedFinding(failure, about)]
    case 'Unusable': {
      const { cause, help, what } = failure
      const code = unusableCode(what, cause)
      const verb = code === 'DT4010' ? 'sent' : 'used'
      return [plainFinding(about, code, `${what} cannot be ${verb}: ${cause}`, help)]
    }
    case 'NotPushed':
      return [found(about, undefined, pushMeaning(failure.name, failure.message))]
    case 'NotLoaded': {
      const { cause, isReached } = failure
      const help = 'without --load, the image is pushed to its registry; --push=false only builds it'
      return isReached
        ? [plainFinding(about, 'DT4034', `built, but the Docker daemon did not load it: ${cause}`)]
        : [plainFinding(about, 'DT4033', `cannot be loaded: ${cause}`, help)]
    }
    case 'Aborted':
      return [plainFinding(about, 'DT4016', 'the build was interrupted')]
  }
}

type WarningAbout = Pick<BuildAbout, 'at' | 'dockerfile'> & { readonly image: string }

/** The place already shows the line; the details only repeat the message. */
const lintFinding = ({ source, text, url }: Lint, { at, dockerfile, image }: WarningAbout): Diagnostic => {
  const where = findIn(dockerfile, source, {})?.at
  const message = text.replace(/ \(line \d+\)$/, '')
  const words = where === undefined ? `image ${image}: ${message}` : message
  return placed(where ?? at, warning('DT4040', words, { help: url === '' ? undefined : `see ${url}` }))
}

/** One finding for each warning; images that share a Dockerfile get equal ones, which `inFileOrder` merges. */
export const lintFindings = (lints: ReadonlyArray<Lint>, about: WarningAbout): ReadonlyArray<Diagnostic> =>
  lints.map((lint) => lintFinding(lint, about))

/** `reference`: an image that cache should have come from; `cause`: why it could not be pulled. */
export const cacheFindings = (
  missing: ReadonlyArray<{ readonly reference: string; readonly cause: string }>,
  { at, image }: WarningAbout,
): ReadonlyArray<Diagnostic> =>
  missing.map(({ cause, reference }) => {
    const trouble = troubleOf(cause)
    const why = trouble === 'Missing' ? 'it does not exist' : shortCause(cause)
    const help = trouble === 'Missing' ? 'the first build with --export-cache creates it' : undefined
    return placed(at, warning('DT4044', `image ${image}: cannot import cache from ${reference}: ${why}`, { help }))
  })

/** The texts of the files that findings refer to, for excerpts: the builder sends along what it read. */
export const textsOf = (
  parts: ReadonlyArray<SourcePart>,
  dockerfile: Dockerfile | undefined,
): ReadonlyMap<string, string> => {
  const own = dockerfile?.text === undefined ? [] : [[dockerfile.file, dockerfile.text] as const]
  return new Map([...own, ...parts.map(({ file, text }) => [dockerfile?.file ?? file, text] as const)])
}
