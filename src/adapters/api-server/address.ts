/** Where a request comes from, behind proxies that are trusted to say so. */
import { BlockList, isIP } from 'node:net'

/** IPv4 addresses of sockets that listen on both kinds are written as IPv6. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

const blockOf = (networks: ReadonlyArray<string>): BlockList => {
  const block = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) block.addAddress(address, familyOf(address))
    else block.addSubnet(address, Number(bits), familyOf(address))
  }
  return block
}

/** Each proxy appends the address that it saw. The first one that is no trusted proxy is the client, as far as known. */
export const addressing = (proxies: ReadonlyArray<string>) => {
  const trusted = blockOf(proxies)
  const isTrusted = (address: string): boolean => isIP(address) !== 0 && trusted.check(address, familyOf(address))
  return (socket: string, forwarded = ''): string => {
    const hops = [...forwarded.split(',').map((hop) => plain(hop.trim())), plain(socket)].filter(isIP)
    return hops.findLast((hop) => !isTrusted(hop)) ?? plain(socket)
  }
}
