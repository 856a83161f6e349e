/**
 * The short notation of a mount (Compose spec, "volumes"; Windows paths as in compose-go): `[source:]target[:options]`.
 */
import * as E from 'fp-ts/lib/Either.js'
import { type Fault, fail, quote } from './fault.ts'

export type ShortMount = {
  readonly source?: string
  readonly target: string
  readonly options: ReadonlyArray<string>
  readonly kind: 'volume' | 'bind' | 'anonymous'
}

export const readMount = (text: string): E.Either<Fault, ShortMount> => {
  if (text === '') return fail('the mount is empty', 0, 0)
  const sections = joinDrives(text.split(':', 8))
  const [first = '', second, third] = sections
  if (sections.length > 3) return fail('too many colons in a mount', 0, text.length)
  if (second === undefined) return readTarget(first, 0, { options: [], kind: 'anonymous' })
  if (first === '') return fail('the source of the mount is empty', 0, 1)
  const targetAt = first.length + 1
  if (third === '') return fail('the options of the mount are empty', text.length - 1, text.length)
  const options = (third ?? '').split(',').filter((option) => option !== '')
  return readTarget(second, targetAt, { source: first, options, kind: isHostPath(first) ? 'bind' : 'volume' })
}

const readTarget = (target: string, start: number, rest: Omit<ShortMount, 'target'>): E.Either<Fault, ShortMount> => {
  if (target === '') return fail('the target of the mount is empty', start, start)
  if (isAbsolute(target)) return E.right({ ...rest, target })
  return fail(`the target ${quote(target)} is not an absolute path`, start, start + target.length)
}

/**
 * Joins `C` and `\x` into one path, and `C` and `/x` unless no target would be left: a volume with a one-letter name,
 * `d:/data`, is valid in Kubernetes.
 */
const joinDrives = (pieces: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sections: Array<string> = []
  for (let at = 0; at < pieces.length; at += 1) {
    const [piece = '', next = '', third = '', fourth = ''] = pieces.slice(at, at + 4)
    const isTargetLeft = /^[\\/]/.test(third) || (isLetter(third) && /^[\\/]/.test(fourth))
    const isDrive =
      isLetter(piece) &&
      sections.length < 2 &&
      (next.startsWith('\\') || (next.startsWith('/') && (sections.length === 1 || isTargetLeft)))
    sections.push(isDrive ? `${piece}:${next}` : piece)
    if (isDrive) at += 1
  }
  return sections
}

const isLetter = (text: string): boolean => /^[A-Za-z]$/.test(text)
const isAbsolute = (path: string): boolean => /^(?:\/|\\\\|[A-Za-z]:[\\/])/.test(path)
const isHostPath = (source: string): boolean => /^[.~]|[\\/]/.test(source)
