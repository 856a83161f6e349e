/** Fetches pages by host name, through the Ingress of the cluster. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { textAt } from '../../../src/domain/cluster/json.ts'
import type { Space } from './e2e.ts'

type Page = { readonly status: number; readonly body: string }
type Visit = { readonly path?: string; readonly form?: string }

/** $INGRESS_ADDRESS, else the address in the status of the first Ingress. */
export const addressOf = async ({ list, namespace }: Space): Promise<string> => {
  const { INGRESS_ADDRESS } = process.env
  if (INGRESS_ADDRESS !== undefined) return INGRESS_ADDRESS
  for (let tries = 0; tries < 240; tries += 1) {
    for (const ingress of await list('Ingress')) {
      const first = ['status', 'loadBalancer', 'ingress', 0] as const
      const address = textAt(ingress, ...first, 'ip') ?? textAt(ingress, ...first, 'hostname')
      if (address !== undefined) return address
    }
    await sleep(500)
  }
  throw new Error(`no Ingress in ${namespace} has an address: set INGRESS_ADDRESS, or install an Ingress controller`)
}

const visitOnce = (address: string, host: string, { form, path = '/' }: Visit): Promise<Page> =>
  new Promise((resolve, reject) => {
    const headers = { host, ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }) }
    const method = form === undefined ? 'GET' : 'POST'
    const sent = request({ host: address, port: 80, path, method, headers, timeout: 10_000 }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
    sent.on('timeout', () => sent.destroy(new Error(`${host}: no response within 10 s`)))
    sent.on('error', reject)
    sent.end(form)
  })

/** Retries for two minutes until the status is 200 and `enough` holds: a controller learns of a route after a moment. */
export const visit = async (
  space: Space,
  host: string,
  options: Visit = {},
  enough: (body: string) => boolean = () => true,
): Promise<string> => {
  const address = await addressOf(space)
  let last = ''
  for (let tries = 0; tries < 240; tries += 1) {
    try {
      const { body, status } = await visitOnce(address, host, options)
      if (status === 200 && enough(body)) return body
      last = `${status} ${body.slice(0, 500)}`
    } catch (cause) {
      last = String(cause)
    }
    await sleep(500)
  }
  throw new Error(`${host}${options.path ?? '/'} by way of ${address}: ${last}`)
}
