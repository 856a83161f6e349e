/** Interprets NO_PROXY as kubectl and Docker do (Go, `golang.org/x/net/http/httpproxy`). */
import { BlockList, isIP } from 'node:net'

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const bare = (host: string): string => host.replace(/^\[|\]$/g, '')

/** Whether `address` is one of `10.0.0.0/8`. */
const isInNet = (address: string, net: string): boolean => {
  const [, base = '', digits = ''] = /^(.+)\/(\d{1,3})$/.exec(net) ?? []
  const bits = Number(digits)
  if (isIP(address) === 0 || isIP(address) !== isIP(base) || bits > (isIP(base) === 6 ? 128 : 32)) return false
  const nets = new BlockList()
  nets.addSubnet(base, bits, familyOf(base))
  return nets.check(address, familyOf(address))
}

const isSameAddress = (a: string, b: string): boolean => isInNet(a, `${b}/${isIP(b) === 6 ? 128 : 32}`)

/** `example.com` matches the domain and its subdomains, `.example.com` and `*.example.com` only the subdomains. */
const isInDomain = (host: string, domain: string): boolean => {
  const name = domain.replace(/^\*\./, '.')
  return host.endsWith(name.startsWith('.') ? name : `.${name}`) || host === name
}

const matches = (host: string, port: string, pattern: string): boolean => {
  if (pattern === '*' || isInNet(host, pattern)) return true
  const [, name = pattern, only] = isIP(pattern) === 6 ? [] : (/^(.*?)(?::(\d+))?$/.exec(pattern) ?? [])
  if (only !== undefined && only !== port) return false
  return isIP(host) === 0 ? name !== '' && isInDomain(host, name) : isSameAddress(host, bare(name))
}

/** Whether the variable, with items separated by commas or spaces, lists the host (with or without brackets). */
export const isExcepted = (
  noProxy: string,
  { host, port }: { readonly host: string; readonly port: string },
): boolean =>
  noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((pattern) => pattern !== '' && matches(bare(host.toLowerCase()).replace(/\.$/, ''), port, pattern))
