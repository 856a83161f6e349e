/** A SOCKS 5 proxy (RFC 1928, 1929) on this machine, which resolves every name to 127.0.0.1. */
import { connect, createServer, type Socket } from 'node:net'
import { closing, join, listening, type Proxy } from './proxy.ts'

/** `url` contains the credentials; `asked` lists the requested names and addresses. */
type Options = { readonly credentials?: string; readonly reply?: number }

const versions = { socks: 5, login: 1 } as const
const methods = { none: 0, password: 2, unacceptable: 0xff } as const

/** The destination in a connect request: four bytes, the address, and two bytes for the port. */
const destinationIn = (bytes: Buffer): { readonly host: string; readonly port: number } => {
  const kind = bytes.readUInt8(3)
  const length = kind === 3 ? bytes.readUInt8(4) : kind === 1 ? 4 : 16
  const start = kind === 3 ? 5 : 4
  const raw = bytes.subarray(start, start + length)
  const host = kind === 3 ? raw.toString('latin1') : [...raw].join('.')
  return { host, port: bytes.readUInt16BE(start + length) }
}

const loginIn = (bytes: Buffer): string => {
  const user = bytes.subarray(2, 2 + bytes.readUInt8(1))
  return `${user.toString()}:${bytes.subarray(3 + user.length).toString()}`
}

export const socksProxy = async ({ credentials, reply = 0 }: Options = {}): Promise<Proxy> => {
  const asked: Array<string> = []
  const method = credentials === undefined ? methods.none : methods.password
  const open = (client: Socket, bytes: Buffer): void => {
    const { host, port } = destinationIn(bytes)
    asked.push(`${host}:${port}`)
    const answer = (code: number): Buffer => Buffer.from([versions.socks, code, 0, 1, 0, 0, 0, 0, 0, 0])
    if (reply !== 0) return void client.end(answer(reply))
    const far = connect(port, '127.0.0.1')
    far.once('error', () => client.end(answer(5)))
    far.once('connect', () => {
      client.write(answer(0))
      join(client, far)
    })
  }
  const login = (client: Socket, bytes: Buffer): void => {
    if (loginIn(bytes) !== credentials) return void client.end(Buffer.from([versions.login, 1]))
    client.once('data', (next: Buffer) => open(client, next))
    client.write(Buffer.from([versions.login, 0]))
  }
  const server = createServer((client) => {
    client.once('data', (offer: Buffer) => {
      const isOffered = offer.subarray(2).includes(method)
      if (isOffered) client.once('data', (next: Buffer) => (method === 0 ? open : login)(client, next))
      client.write(Buffer.from([versions.socks, isOffered ? method : methods.unacceptable]))
    })
  })
  const close = closing(server)
  const port = await listening(server)
  const named = credentials === undefined ? '' : `${credentials}@`
  return { url: `socks5://${named}127.0.0.1:${port}`, port, asked, close }
}
