/** Reads the answer of a frontend to `frontend.lint`. */

import { Buffer } from 'node:buffer'
import type { Lint, SourcePart } from '../../domain/build/event.ts'
import { at, type Json, listAt, numberAt, textAt } from '../../domain/cluster/json.ts'
import { defined } from '../../domain/object/defined.ts'
import type { DockerfileLint } from '../../ports/builder.ts'
import { wholeRanges } from './ranges.ts'

const invalid = 3

const partOf = (location: Json | undefined, sources: ReadonlyArray<Json>): SourcePart | undefined => {
  const source = sources[numberAt(location, 'sourceIndex') ?? 0]
  const file = textAt(source, 'filename') ?? textAt(source, 'fileName')
  if (file === undefined) return undefined
  const ranges = listAt(location, 'ranges').map((range) => ({
    start: numberAt(range, 'start', 'line') ?? 0,
    end: numberAt(range, 'end', 'line') ?? 0,
  }))
  const text = Buffer.from(textAt(source, 'data') ?? '', 'base64').toString('utf8')
  return { file, text, ranges: wholeRanges(ranges) }
}

const lintOf = (warning: Json, sources: ReadonlyArray<Json>): Lint => {
  const source = partOf(at(warning, 'location'), sources)
  const rule = textAt(warning, 'ruleName') ?? ''
  const text = textAt(warning, 'detail') || textAt(warning, 'description') || ''
  return {
    _tag: 'Lint',
    text: rule === '' ? text : `${rule}: ${text}`,
    details: [],
    url: textAt(warning, 'url') ?? '',
    ...defined({ source }),
  }
}

/** Throws on invalid JSON. */
export const readLint = (bytes: Uint8Array | undefined): DockerfileLint => {
  const json: Json = JSON.parse(Buffer.from(bytes ?? new Uint8Array()).toString('utf8'))
  const sources = listAt(json, 'sources')
  const lints = listAt(json, 'warnings').map((warning) => lintOf(warning, sources))
  const message = textAt(json, 'buildError', 'message')
  if (message === undefined) return { lints }
  const part = partOf(at(json, 'buildError', 'location'), sources)
  return { lints, failure: { _tag: 'Failed', message, code: invalid, sources: part === undefined ? [] : [part] } }
}
