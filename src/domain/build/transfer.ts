/** The bytes that a vertex moves, added up, and the rate. */
import { defined } from '../object/defined.ts'
import type { Moved } from '../progress/event.ts'

type TransferPart = { readonly current: number; readonly total: number }
type Sample = { readonly atMs: number; readonly bytes: number }

/**
 * `sent`: what this machine reports as sent, which is more precise than what the builder reports as received. `toldMs`:
 * when progress was last reported.
 */
export type Transfers = {
  readonly parts: ReadonlyMap<string, TransferPart>
  readonly sent?: { readonly files: number; readonly bytes: number }
  readonly samples: ReadonlyArray<Sample>
  readonly toldMs: number
}

export const noTransfers: Transfers = { parts: new Map(), samples: [], toldMs: Number.NEGATIVE_INFINITY }

/** The rate is measured over the last seconds. */
const windowMs = 5000
const sampleMs = 250
const leastMs = 500
/** The interval between two reports: numbers that change faster cannot be read. */
export const tellMs = 500
/** More layers than any image has (127 in common storage drivers). */
const mostParts = 1000

const bytesOf = ({ parts, sent }: Transfers): number =>
  sent?.bytes ?? [...parts.values()].reduce((sum, { current }) => sum + current, 0)

/** Known only when the total of every part is known. */
const totalOf = ({ parts, sent }: Transfers): number | undefined => {
  const all = [...parts.values()]
  if (sent !== undefined || all.some(({ total }) => total <= 0)) return undefined
  return all.reduce((sum, { current, total }) => sum + Math.max(current, total), 0)
}

const sampled = (transfers: Transfers, atMs: number): Transfers => {
  const { samples } = transfers
  const last = samples.at(-1)
  if (last !== undefined && atMs - last.atMs < sampleMs) return transfers
  const recent = samples.filter((sample, index) => atMs - sample.atMs <= windowMs || index === samples.length - 1)
  return { ...transfers, samples: [...recent, { atMs, bytes: bytesOf(transfers) }] }
}

/** A part without bytes is not a transfer (`pushing layers`). */
export const transferred = (before: Transfers, id: string, part: TransferPart, atMs: number): Transfers => {
  if (part.current <= 0 && part.total <= 0 && !before.parts.has(id)) return before
  if (before.parts.size >= mostParts && !before.parts.has(id)) return before
  return sampled({ ...before, parts: new Map(before.parts).set(id, part) }, atMs)
}

export const sentFrom = (
  before: Transfers,
  { bytes, files }: { readonly files: number; readonly bytes: number },
  atMs: number,
): Transfers =>
  sampled({ ...before, sent: { files, bytes }, samples: before.sent === undefined ? [] : before.samples }, atMs)

/** `undefined` when nothing has been transferred. */
export const movedAt = (transfers: Transfers, atMs: number): Moved | undefined => {
  const [bytes, total, first] = [bytesOf(transfers), totalOf(transfers), transfers.samples[0]]
  if (bytes <= 0 && (total ?? 0) <= 0) return undefined
  const ms = first === undefined ? 0 : atMs - first.atMs
  return {
    bytes,
    ...defined({ total, files: transfers.sent?.files }),
    ...(first === undefined || ms < leastMs ? {} : { perSecond: Math.max(0, ((bytes - first.bytes) * 1000) / ms) }),
  }
}
