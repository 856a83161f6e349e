/**
 * DNS-1035 labels from names of Compose files: every object of Kubernetes that a name reaches is named by this one rule,
 * so that references meet.
 */
import { sha256 } from './sha256.ts'

const LONGEST = 63

export const isDnsLabel = (name: string): boolean =>
  name.length <= LONGEST && /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(name)

/** A DNS-1123 subdomain: what Kubernetes takes as a host, and as the name of most objects. */
export const isDnsName = (name: string): boolean =>
  name.length <= 253 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(name)

/**
 * What is illegal becomes `-`; a name that begins with a digit gets `s-` before it, one of which nothing is left is
 * `s-` and a hash, one that is too long ends in `-` and a hash (8 digits of the SHA-256 of the name as given). Law: a
 * legal label of at most `max` characters stays as it is. `max` is at least 10.
 */
export const dnsLabel = (name: string, max: number = LONGEST): string => {
  const hash = () => sha256(name).slice(0, 8)
  const bare = trimDashes(name.toLowerCase().replace(/[^a-z0-9-]/gu, '-'))
  if (bare === '') return `s-${hash()}`
  const label = /^[a-z]/.test(bare) ? bare : `s-${bare}`
  return label.length <= max ? label : `${trimDashes(label.slice(0, max - 9))}-${hash()}`
}

/** By hand: a regular expression for the end of a text tries every dash before it, which is quadratic. */
const trimDashes = (text: string): string => {
  let [start, end] = [0, text.length]
  while (text[start] === '-') start += 1
  while (end > start && text[end - 1] === '-') end -= 1
  return text.slice(start, end)
}
