/** Proxies that the environment names, for a kubeconfig that names none. */

const hostMatches = (host: string, pattern: string): boolean => {
  const name = pattern.replace(/^\*?\./, '').replace(/:\d+$/, '')
  return pattern === '*' || host === name || host.endsWith(`.${name}`)
}

const octets = (address: string): number | undefined => {
  const parts = address.split('.').map(Number)
  const isAddress = parts.length === 4 && parts.every((part) => Number.isInteger(part) && part >= 0 && part < 256)
  return isAddress ? parts.reduce((all, part) => all * 256 + part, 0) : undefined
}

/** `10.0.0.0/8` */
const netMatches = (host: string, net: string): boolean => {
  const [base = '', bits] = net.split('/')
  const [address, from] = [octets(host), octets(base)]
  if (address === undefined || from === undefined || bits === undefined) return false
  const size = 2 ** (32 - Number(bits))
  return Math.floor(address / size) === Math.floor(from / size)
}

const isLocal = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.')

/** HTTPS_PROXY or HTTP_PROXY, in capitals or not, unless NO_PROXY has the host; this machine is never behind one. */
export const proxyOf = (server: URL, env: Readonly<Record<string, string | undefined>>): string | undefined => {
  const host = server.hostname
  if (isLocal(host)) return undefined
  const excepted = (env['NO_PROXY'] ?? env['no_proxy'] ?? '').split(',').map((part) => part.trim())
  if (excepted.some((part) => part !== '' && (hostMatches(host, part) || netMatches(host, part)))) return undefined
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const proxy = env[name] ?? env[name.toLowerCase()] ?? ''
  if (proxy === '') return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}
