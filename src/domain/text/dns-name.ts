/**
 * DNS-1035 labels from the names in Compose files. Every Kubernetes object named after such a name uses this one rule,
 * so references match.
 */
import { sha256 } from './sha256.ts'

const LONGEST = 63

export const isDnsLabel = (name: string): boolean =>
  name.length <= LONGEST && /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(name)

/** A DNS-1123 subdomain: what Kubernetes accepts as a host, and as the name of most objects. */
export const isDnsName = (name: string): boolean =>
  name.length <= 253 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(name)

/**
 * Illegal characters become `-`; a leading digit gets `s-` before it; if nothing is left, the label is `s-` and a hash;
 * a label that is too long ends in `-` and a hash (8 digits of the SHA-256 of the original name). Law: a valid label of
 * at most `max` characters is returned unchanged. `max` is at least 10.
 */
export const dnsLabel = (name: string, max: number = LONGEST): string => {
  if (name.length <= max && isDnsLabel(name)) return name
  const hash = () => sha256(name).slice(0, 8)
  const bare = trimDashes(name.toLowerCase().replace(/[^a-z0-9-]/gu, '-'))
  if (bare === '') return `s-${hash()}`
  const label = /^[a-z]/.test(bare) ? bare : `s-${bare}`
  return label.length <= max ? label : `${trimDashes(label.slice(0, max - 9))}-${hash()}`
}

/** Not a regular expression: one for the end of a text would try every dash before it, which is quadratic. */
const trimDashes = (text: string): string => {
  let [start, end] = [0, text.length]
  while (text[start] === '-') start += 1
  while (end > start && text[end - 1] === '-') end -= 1
  return text.slice(start, end)
}
