/**
 * Image references (the grammar of `distribution/reference`): `[domain[:port]/]path[:tag][@digest]`. Capital letters in
 * a first component that is not a host are rejected too, though Docker would take it for a host.
 */
import * as E from 'fp-ts/lib/Either.js'
import { type Fault, fail, quote } from './fault.ts'
import { isIpv6 } from './ip.ts'

const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
])
const LONGEST_NAME = 255

/** Returns the reference unchanged. */
export const checkImage = (text: string): E.Either<Fault, string> => {
  if (text === '') return fail('the image is empty', 0, 0)
  const at = text.indexOf('@')
  const tagged = at === -1 ? text : text.slice(0, at)
  const colon = tagged.indexOf(':', tagged.lastIndexOf('/') + 1)
  const name = colon === -1 ? tagged : tagged.slice(0, colon)
  const fault =
    faultOfName(name) ??
    (colon === -1 ? undefined : faultOfTag(tagged.slice(colon + 1), colon + 1)) ??
    (at === -1 ? undefined : faultOfDigest(text.slice(at + 1), at + 1))
  return fault === undefined ? E.right(text) : E.left(fault)
}

const faultOfName = (name: string): Fault | undefined => {
  const whole = { start: 0, end: name.length }
  if (name === '') return { message: 'the name of the image is missing', ...whole }
  if (name.length > LONGEST_NAME)
    return { message: `the image name is longer than ${LONGEST_NAME} characters`, ...whole }
  if (/^[0-9a-f]{64}$/.test(name)) return { message: 'an image name cannot be 64 hexadecimal digits', ...whole }
  const slash = name.indexOf('/')
  const first = slash === -1 ? '' : name.slice(0, slash)
  const hasDomain = /[.:]/.test(first) || first === 'localhost'
  if (hasDomain && !isDomain(first)) {
    return { message: `${quote(first)} is not the name of a registry`, start: 0, end: slash }
  }
  let start = hasDomain ? slash + 1 : 0
  for (const component of name.slice(start).split('/')) {
    const end = start + component.length
    if (!/^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/.test(component))
      return { message: faultOfPath(component), start, end }
    start = end + 1
  }
  return undefined
}

const faultOfPath = (component: string): string => {
  if (component === '') return 'an image name cannot have an empty part'
  return component !== component.toLowerCase()
    ? `the image name ${quote(component)} must be lower case`
    : `${quote(component)} is not a legal part of an image name`
}

const isDomain = (text: string): boolean => {
  const [, host = '', ipv6 = ''] = /^(?:([^:[\]]+)|\[([^\]]+)\])(?::\d+)?$/.exec(text) ?? []
  return ipv6 === ''
    ? host.split('.').every((label) => /^(?:[A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9-]*[A-Za-z0-9])$/.test(label))
    : isIpv6(ipv6)
}

const faultOfTag = (tag: string, start: number): Fault | undefined => {
  const place = { start, end: start + tag.length }
  if (tag === '') return { message: 'the tag of the image is empty', ...place }
  if (tag.length > 128) return { message: 'the tag of the image is longer than 128 characters', ...place }
  return /^\w[\w.-]*$/.test(tag) ? undefined : { message: `${quote(tag)} is not a tag`, ...place }
}

const faultOfDigest = (digest: string, start: number): Fault | undefined => {
  const place = { start, end: start + digest.length }
  const [algorithm = '', hex = ''] = digest.split(':', 2)
  const digits = HEX_DIGITS.get(algorithm)
  if (digits === undefined) return { message: `${quote(digest)} is not a digest of a known algorithm`, ...place }
  const isDigest = digest.length === algorithm.length + 1 + digits && hex.length === digits && /^[0-9a-f]+$/.test(hex)
  return isDigest ? undefined : { message: `a ${algorithm} digest has ${digits} hexadecimal digits`, ...place }
}
