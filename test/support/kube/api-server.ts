/** The API server of $KUBECONFIG, used with raw bodies: they are sent exactly as given. */
import { readFileSync } from 'node:fs'
import { Agent, type RequestOptions, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { KubeConfig } from '@kubernetes/client-node/dist/config.js'

type Answer = { readonly status: number; readonly body: string }
type Ask = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: string
  readonly type?: string
}
export type ApiServer = {
  readonly name: string
  readonly send: (ask: Ask) => Promise<Answer>
  readonly close: () => void
}

const longestMs = 30_000
const atOnce = 8

/** Uses the credentials of the kubeconfig, and at most eight connections, which are kept open. */
const optionsOf = async (config: KubeConfig, agent: Agent): Promise<RequestOptions> => {
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  const { ca, cert, key, auth, headers, rejectUnauthorized, servername } = options
  const given = { ca, cert, key, auth, headers, rejectUnauthorized, servername }
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { ...known, agent, timeout: longestMs }
}

const send =
  (server: URL, options: RequestOptions) =>
  ({ method, path, body, type }: Ask): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = server
      const sent = request({ ...options, hostname, port, path, method }, (response) => {
        text(response).then((received) => resolve({ status: response.statusCode ?? 0, body: received }), reject)
      })
      sent.setHeader('accept', 'application/json')
      if (type !== undefined) sent.setHeader('content-type', type)
      sent.on('timeout', () => sent.destroy(new Error(`${method} ${path}: no response within ${longestMs} ms`)))
      sent.on('error', reject)
      sent.end(body)
    })

/** Fails with a readable message if there is no cluster. */
export const connect = async (kubeconfig: string | undefined): Promise<ApiServer> => {
  if (kubeconfig === undefined || kubeconfig === '') {
    throw new Error('KUBECONFIG is not set: these tests need a cluster, set it to the kubeconfig of one for tests')
  }
  readFileSync(kubeconfig)
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const cluster = config.getCurrentCluster()
  if (cluster === null) throw new Error(`${kubeconfig} has no current context`)
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const options = await optionsOf(config, agent)
  return {
    name: `${cluster.server} (context ${config.getCurrentContext()} of ${kubeconfig})`,
    send: send(new URL(cluster.server), options),
    close: () => agent.destroy(),
  }
}

/** Runs `run` for each item, at most eight at once; the results are in the order of the items. */
export const eachAtOnce = async <A, B>(items: ReadonlyArray<A>, run: (item: A) => Promise<B>): Promise<Array<B>> => {
  const results: Array<B> = []
  const rest = items.entries()
  const work = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}
