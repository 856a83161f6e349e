/** The ports of `up` on the real cluster: forwarded to the container and to other hosts, and reversed to this machine. */
import { createServer } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at } from '../../src/domain/cluster/json.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'
import { freePort, portOf } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const section = (more: string): string =>
  `dev:\n  api:\n    workdir: /tmp\n    persistentVolume: { enabled: false }\n${more}`

const serving = 'mkdir -p /tmp/w; echo other >/tmp/w/index.html; exec httpd -f -p 8080 -h /tmp/w'

const answer = (port: number): Promise<string | undefined> =>
  fetch(`http://127.0.0.1:${port}`).then(
    (response) => response.text(),
    () => undefined,
  )

/** The hosts are a Service and a name of the cluster, which no name server of this machine knows. */
const hostsAndRanges = async (space: Space): Promise<void> => {
  const other = sleeping({ replicas: 1, container: { command: ['sh', '-c', serving] } })
  await space.create('Deployment', JSON.parse(JSON.stringify(other).replaceAll('"api"', '"other"')))
  await space.create('Service', {
    metadata: { name: 'other' },
    spec: { selector: { app: 'other' }, ports: [{ port: 80, targetPort: 8080 }] },
  })
  await space.create('Deployment', sleeping())
  const [first, service, own] = [await freePort(), await freePort(), 3 + (await freePort())]
  const host = `other.${space.namespace}.svc.cluster.local`
  space.write(
    'devtool.yml',
    section(`    forward: ["${first}:${host}:80", "${service}:other:80", "${own}-${own + 2}:7000-7002"]\n`),
  )
  const serve = (port: number): string =>
    `mkdir -p /tmp/${port}; echo ${port} >/tmp/${port}/index.html; httpd -p ${port} -h /tmp/${port}`
  const command = `${[7000, 7001, 7002].map(serve).join('; ')}; echo ready; sleep 1000`
  const up = space.start('up', '--yes', '--command', command)
  await up.says('ready')
  const expected: ReadonlyArray<readonly [number, string]> = [
    [first, 'other\n'],
    [service, 'other\n'],
    [own, '7000\n'],
    [own + 1, '7001\n'],
    [own + 2, '7002\n'],
  ]
  for (const [port, text] of expected) await until(`${text} at ${port}`, async () => (await answer(port)) === text)
  up.child.kill('SIGINT')
  const { stderr } = await up.ended
  assert.match(stderr, `forward: localhost:${own + 2} -> container:7002`)
  assert.is(await answer(first), undefined)
  await space.must('down')
}

/** It is there again in the next pod. */
const reversed = async (space: Space): Promise<void> => {
  const server = createServer((_request, response) => response.end('from here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    space.write('devtool.yml', section(`    reverse: ["9000:${portOf(server)}"]\n`))
    await space.create('Deployment', sleeping())
    const ask = 'until wget -q -O answer http://localhost:9000; do sleep 1; done; echo "$HOSTNAME: $(cat answer)"'
    const up = space.start('up', '--yes', '--command', `${ask}; sleep 1000`)
    for (const isLast of [false, true]) {
      let pod = ''
      await until('a pod', async () => {
        const pods = await space.list('Pod', 'dev.devtool/mirror')
        pod = pods.find(({ metadata }) => metadata.deletionTimestamp === undefined)?.metadata.name ?? ''
        return pod !== ''
      })
      await up.says(`${pod}: from here`)
      if (!isLast) await space.remove('Pod', pod)
    }
    up.child.kill('SIGINT')
    await up.ended
    await space.must('down')
    assert.is(at(await space.get('Deployment', 'api'), 'spec', 'replicas'), 2)
  } finally {
    server.close()
  }
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'ports of Services, of other hosts and ranges of ports are forwarded',
    space: 'dev-hosts',
    options,
    run: hostsAndRanges,
  },
  {
    title: 'a port of the container leads to this machine, also in its next pod',
    space: 'dev-reverse',
    options,
    run: reversed,
  },
]

const test = suite('dev-ports')
await scenarios(test, all)
test.run()
