/** Whether a text is an IP address, according to Go's `net.ParseIP`, which Docker uses: no leading zeros, no zone. */

const isIpv4 = (text: string): boolean =>
  text.length <= 15 &&
  text.split('.').length === 4 &&
  text.split('.').every((octet) => /^(?:0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255)

export const isIpv6 = (text: string): boolean => {
  if (text.length > 45) return false
  const halves = text.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const hasIpv4 = text.endsWith(last) && isIpv4(last)
  const hex = hasIpv4 ? groups.slice(0, -1) : groups
  const size = hex.length + (hasIpv4 ? 2 : 0)
  return (
    hex.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) &&
    (halves.length === 2 ? size < 8 : halves.length === 1 && size === 8)
  )
}

export const isIp = (text: string): boolean => isIpv4(text) || isIpv6(text)

/** An address, or a network like `10.0.0.0/8`. */
export const isNetwork = (text: string): boolean => {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return isIpv4(address) ? Number(bits) <= 32 : isIpv6(address) && Number(bits) <= 128
}

/** The eight groups of an IPv6 address as numbers; those of an IPv4 address at its end as 0. */
const groupsOf = (address: string): ReadonlyArray<number> => {
  const last = address.slice(address.lastIndexOf(':') + 1)
  // The values of the two groups that an IPv4 address stands for do not matter here.
  const text = last.includes('.') ? `${address.slice(0, -last.length)}0:0` : address
  const [before = [], after] = text.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const missing = after === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: missing }, () => '0'), ...(after ?? [])].map((group) =>
    Number.parseInt(group, 16),
  )
}

/**
 * The network of one client: an IPv4 address, or the /64 of an IPv6 address, since clients get at least that much. Any
 * other text is returned unchanged.
 */
export const clientNetwork = (address: string): string => {
  if (!isIpv6(address)) return address
  const network = groupsOf(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}
