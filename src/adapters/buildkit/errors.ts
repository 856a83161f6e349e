/** Errors of a builder: a gRPC status whose details are JSON wrapped in protobuf. */

import * as E from 'fp-ts/lib/Either.js'
import type { LineRange, SourcePart } from '../../domain/build/event.ts'
import type { BuildFailure } from '../../domain/build/failure.ts'
import { type Json, listAt, numberAt, textAt } from '../../domain/cluster/json.ts'
import { defined } from '../../domain/object/defined.ts'
import { publicUrl } from '../../domain/text/public-url.ts'
import { type Any, Status } from './gen/buildkit.ts'
import { wholeRanges } from './ranges.ts'
import type { RpcFailure } from './rpc/rpc.ts'
import type { FailedStep } from './status.ts'

export type Failed = Extract<BuildFailure, { readonly _tag: 'Failed' }>
type Details = Pick<Failed, 'sources' | 'exitCode' | 'vertex'>

const jsonOf = ({ value }: Any): Json | undefined => {
  try {
    const json: Json = JSON.parse(Buffer.from(value).toString('utf8'))
    return json
  } catch {
    return undefined
  }
}

/** JSON omits zeros. */
const rangeOf = (range: Json): LineRange => ({
  start: numberAt(range, 'start', 'line') ?? 0,
  end: numberAt(range, 'end', 'line') ?? 0,
})

const sourceOf = (json: Json): SourcePart | undefined => {
  const data = textAt(json, 'info', 'data')
  if (data === undefined) return undefined
  return {
    file: textAt(json, 'info', 'filename') ?? '',
    text: Buffer.from(data, 'base64').toString('utf8'),
    ranges: wholeRanges(listAt(json, 'ranges').map(rangeOf)),
  }
}

const isSame = (a: SourcePart, b: SourcePart): boolean => JSON.stringify(a) === JSON.stringify(b)

const withDetail = (known: Details, detail: Any): Details => {
  const json = jsonOf(detail)
  if (json === undefined) return known
  switch (detail.typeUrl.replace(/^.*\//, '')) {
    case 'errdefs.Source+json': {
      const source = sourceOf(json)
      return source === undefined || known.sources.some((other) => isSame(other, source))
        ? known
        : { ...known, sources: [...known.sources, source] }
    }
    case 'errdefs.Vertex+json': {
      const vertex = textAt(json, 'digest')
      return vertex === undefined || known.vertex !== undefined ? known : { ...known, vertex }
    }
    case 'gatewayapi.ExitMessage+json': {
      const exitCode = numberAt(json, 'Code') ?? numberAt(json, 'code')
      return exitCode === undefined ? known : { ...known, exitCode }
    }
    default:
      return known
  }
}

/** Prefixes that each layer of the builder adds to the message. */
const noise = /^(?:failed to solve(?: with frontend [\w.:/-]+)?: |rpc error: code = \w+ desc = )/

const mostLayers = 100

const clean = (message: string): string => {
  let text = message.trim()
  for (let layer = 0; layer < mostLayers && noise.test(text); layer += 1) text = text.replace(noise, '').trim()
  return text
}

/** Without details, the message ends with the status. */
const exitCodeIn = (message: string): number | undefined => {
  const [, code] = /(?:did not complete successfully|\]): exit code: (\d+)/.exec(message.slice(-8_192)) ?? []
  return code === undefined ? undefined : Number(code)
}

type Refusal = { readonly code: number; readonly message: string; readonly details: ReadonlyArray<Any> }

/** `step`: the last failed step, for daemons that do not say which one failed. */
export const failedOf = ({ code, details, message }: Refusal, step: FailedStep | undefined): Failed => {
  const found = details.reduce(withDetail, { sources: [] })
  const said = publicUrl(message)
  const exitCode = found.exitCode ?? exitCodeIn(message)
  const vertex = found.vertex ?? (step !== undefined && said.includes(clean(step.error)) ? step.vertex : undefined)
  return {
    _tag: 'Failed',
    message: clean(said),
    code,
    sources: found.sources,
    ...defined({ exitCode, vertex }),
  }
}

export const decodeStatus = (bytes: Uint8Array): Status | undefined =>
  E.getOrElseW(() => undefined)(
    E.tryCatch(
      () => Status.decode(bytes),
      () => undefined,
    ),
  )

/** Details that cannot be read are ignored: the message remains. */
export const failedCall = (
  { code, details, message }: Extract<RpcFailure, { readonly _tag: 'Status' }>,
  step: FailedStep | undefined,
): Failed => {
  const status = details === undefined ? undefined : decodeStatus(details)
  return failedOf({ code, message: status?.message || message, details: status?.details ?? [] }, step)
}
