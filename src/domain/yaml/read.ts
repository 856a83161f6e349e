/**
 * YAML 1.2 text → trees with places; merge keys are applied and duplicate keys rejected. js-yaml's event parser handles
 * the syntax: it is several times faster than a parser that tracks positions itself.
 */
import { type Event, parseEvents, YAMLException } from 'js-yaml'
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Source } from '../text/source.ts'
import { buildDocuments } from './build.ts'
import { limits, sizeFault, tooLarge } from './limits.ts'
import type { Node } from './node.ts'

const syntaxError = (source: Source, cause: unknown): Diagnostic => {
  if (!(cause instanceof YAMLException)) {
    return error('DT1001', 'invalid YAML', { at: { source, start: 0, end: 0 } })
  }
  const at = Math.min(cause.mark?.position ?? 0, source.text.length)
  // The parser's message is the only way to recognise this limit.
  if (cause.reason.startsWith('nesting exceeded')) {
    return tooLarge(source, `values are nested deeper than ${limits.depth} levels`, at, at)
  }
  return error('DT1001', `invalid YAML: ${cause.reason}`, {
    at: { source, start: at, end: Math.min(at + 1, source.text.length) },
  })
}

/**
 * The documents of a file, in order; none for an empty file. Fails with DT1001 (syntax), DT1006 (too large, too deep,
 * too many aliased values), DT1047 (aliases); finds DT1002, DT1005 (keys) and DT1048 (tags).
 */
export const readYaml = (source: Source): Checked<ReadonlyArray<Node>> => {
  const fault = sizeFault(source)
  if (fault !== undefined) return C.fail(fault)
  let events: ReadonlyArray<Event>
  try {
    events = parseEvents(source.text, { maxDepth: limits.depth })
  } catch (cause) {
    return C.fail(syntaxError(source, cause))
  }
  return buildDocuments(source, events)
}
