/** An agent that connects through a proxy. Loaded only when there is one. */
import type { AgentOptions, ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { Agent, type AgentConnectOpts } from 'agent-base'
import type { Clock } from '../../ports/clock.ts'
import { type DialRoute, dial } from './dial.ts'
import { secure } from './sockets.ts'

/** `tls`: for the connection to the server. */
type Through = DialRoute & { readonly clock: Clock; readonly isSecure: boolean; readonly tls: ConnectionOptions }

export class ProxyAgent extends Agent {
  readonly #way: Through

  constructor(way: Through, options: AgentOptions) {
    super(options)
    this.#way = way
  }

  /** Decided by what the agent was created for, rather than by inspecting the stack. */
  override isSecureEndpoint(): boolean {
    return this.#way.isSecure
  }

  override async connect(request: ClientRequest, { host = '', port }: AgentConnectOpts): Promise<Socket> {
    const { clock, env, isSecure, proxy, tls } = this.#way
    const gone = new AbortController()
    const leave = (): void => gone.abort()
    request.once('close', leave)
    const limits = { clock, signal: gone.signal }
    const socket = await dial({ host, port: Number(String(port)) }, { env, proxy }, limits)
    const ready = isSecure ? await secure(socket, { ...tls, host }, limits) : socket
    request.off('close', leave)
    return ready
  }
}
