/** The client address of a request, behind proxies that are trusted to report it. */
import { BlockList, isIP } from 'node:net'

/** Sockets that accept both kinds report IPv4 addresses as IPv6. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** May have a port, as some proxies write it; `undefined` for anything that is not an address. */
const hopOf = (text: string): string | undefined => {
  const hop = text.trim().replaceAll('"', '')
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(hop) ?? []
  const [, dotted] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop) ?? []
  const [address = ''] = plain(bracketed ?? dotted ?? hop).split('%')
  return isIP(address) === 0 ? undefined : address
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

const checking = (networks: ReadonlyArray<string>): ((address: string) => boolean) => {
  const block = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) block.addAddress(address, familyOf(address))
    else block.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => isIP(address) !== 0 && block.check(address, familyOf(address))
}

/** Addresses within the same cluster or site. */
const isPrivate = checking(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fe80::/10'])

/**
 * Each proxy appends the address that it saw: the last one that is not a trusted proxy is the client. An invalid hop
 * was not written by a trusted proxy, and neither was anything before it.
 */
const clientBefore = (socket: string, hops: ReadonlyArray<string>, isTrusted: (address: string) => boolean): string => {
  let client = socket
  for (const text of hops.toReversed()) {
    if (!isTrusted(client)) return client
    const hop = hopOf(text)
    if (hop === undefined) return client
    client = hop
  }
  return client
}

/**
 * If no proxies are configured, a client with a private address counts as the Ingress controller: only the address that
 * it appended is used, and nothing that the header contained before.
 */
export const addressing = (proxies: ReadonlyArray<string>) => {
  const isNamed = checking(proxies)
  return (address: string, forwarded = ''): string => {
    const socket = plain(address)
    const hops = forwarded === '' ? [] : forwarded.split(',')
    if (proxies.length > 0) return clientBefore(socket, hops, isNamed)
    return clientBefore(socket, hops.slice(-1), isPrivate)
  }
}
