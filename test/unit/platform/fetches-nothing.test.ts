/** The API server connects to no address that a user names: only the pod of a run does. */
import { createServer, type Server } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { textAt } from '../../../src/domain/cluster/json.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { startApi, untilReady } from '../../support/platform/api.ts'
import { objects, tokenOf } from '../../support/platform/world.ts'

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

test('repositories, pages of pull requests, branches and addresses of previews are not fetched', async () => {
  let connections = 0
  const named = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => {
    named.listen(0, '127.0.0.1', resolve)
  })
  const place = `127.0.0.1:${portOf(named)}`
  const cluster = memoryCluster({ objects: objects() })
  const api = await startApi({ cluster })
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${api.port}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${tokenOf('owner')}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${text}`)
    return JSON.parse(text)
  }
  try {
    await untilReady(api)
    const source = { repository: `https://${place}/team/web.git`, branch: `${place.replace(':', '/')}/main` }
    const shop = '/namespaces/shop'
    await send('POST', `${shop}/pipelines`, { name: 'web', ...source, file: `${place.replace(':', '/')}/compose.yaml` })
    await send('POST', '/previews', { name: 'look', ...source, sourceUrl: `https://${place}/pulls/1` })
    const backend = { service: { name: 'web' } }
    const rules = [{ host: place, http: { paths: [{ path: '/', backend }] } }]
    const metadata = { name: 'web', namespace: 'look' }
    cluster.put({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata, spec: { rules } })
    const paths = [`${shop}/pipelines`, `${shop}/runs`, `${shop}/services`, '/previews', '/previews/look']
    for (const path of paths) await send('GET', path)
    const { endpoints } = JSON.parse(JSON.stringify(await send('GET', '/previews/look/endpoints')))
    assert.match(textAt(endpoints, 0, 'url') ?? '', place)
    await send('DELETE', `${shop}/pipelines/web`)
    await send('DELETE', '/previews/look')
    await systemClock.sleep(100)
    assert.is(connections, 0)
    await fetch(`http://${place}`).catch(() => undefined)
    assert.is(connections, 1, 'it would have been seen')
  } finally {
    await api.stop(0)
    named.close()
  }
})

test.run()
