/**
 * YAML 1.2 text → trees with places; merge keys are applied and duplicate keys rejected. js-yaml's event parser handles
 * the syntax: it is several times faster than a parser that tracks positions itself.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { EVENT_ID, type Event, parseEvents, YAMLException } from 'js-yaml'
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Source } from '../text/source.ts'
import { buildDocuments } from './build.ts'
import { readEveryday } from './everyday.ts'
import { flat } from './flat.ts'
import { limits, sizeFault, tooLarge } from './limits.ts'
import { mistakeAt } from './mistakes.ts'
import type { Node } from './node.ts'

const positionOf = (cause: unknown): number => (cause instanceof YAMLException ? (cause.mark?.position ?? 0) : 0)

const syntaxError = (source: Source, cause: unknown): Diagnostic => {
  if (!(cause instanceof YAMLException)) {
    return error('DT1001', 'invalid YAML', { at: { source, start: 0, end: 0 } })
  }
  const at = Math.min(positionOf(cause), source.text.length)
  // The parser's message is the only way to recognise this limit.
  if (cause.reason.startsWith('nesting exceeded')) {
    return tooLarge(source, `values are nested deeper than ${limits.depth} levels`, at, at)
  }
  const { help, what } = mistakeAt(source.text, at, cause.reason)
  return error('DT1001', `invalid YAML: ${what}`, {
    at: { source, start: at, end: Math.min(at + 1, source.text.length) },
    help,
  })
}

type Parsed = E.Either<unknown, ReadonlyArray<Event>>

const parse = (text: string): Parsed =>
  E.tryCatch(
    () => parseEvents(text, { maxDepth: limits.depth }),
    (cause) => cause,
  )

/** Parses a flattened text. The option `fast` is off, since it claims that values are written as they were parsed. */
const parseFlat = (text: string): Parsed =>
  pipe(
    parse(text),
    E.map((events) => events.map((event) => (event.type === EVENT_ID.SCALAR ? { ...event, fast: false } : event))),
  )

/** When both attempts fail on the same line, a bracket or quote is not closed: the first error is nearer to it. */
const eventsOf = (text: string): Parsed =>
  pipe(
    parse(text),
    E.orElse((first) => {
      const joined = flat(text)
      const isNearer = (second: unknown) => !joined.slice(positionOf(first), positionOf(second)).includes('\n')
      return pipe(
        parseFlat(joined),
        E.mapLeft((second) => (isNearer(second) ? first : second)),
      )
    }),
  )

/** As {@link readYaml}, for any YAML. */
export const readWithParser = (source: Source): Checked<ReadonlyArray<Node>> =>
  pipe(
    eventsOf(source.text),
    E.matchW(
      (cause) => C.fail(syntaxError(source, cause)),
      (events) => buildDocuments(source, events),
    ),
  )

/**
 * The documents of a file, in order; none for an empty file. Fails with DT1001 (syntax), DT1006 (too large, too deep,
 * too many aliased values), DT1047 (aliases); finds DT1002, DT1005 (keys) and DT1048 (tags).
 */
export const readYaml = (source: Source): Checked<ReadonlyArray<Node>> => {
  const fault = sizeFault(source)
  return fault === undefined ? (readEveryday(source) ?? readWithParser(source)) : C.fail(fault)
}
