/** `endpoints` by way of a real Ingress controller, which a proxy finds whatever the host is. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import { editorOf } from '../support/e2e/account.ts'
import { compose, neverReady, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { addressOf } from '../support/e2e/http.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { shellIn } from '../support/e2e/typed.ts'
import { httpProxy } from '../support/http/proxy.ts'
import { until } from '../support/process/until.ts'
import { normal } from '../support/why/expected.ts'
import { assertKept } from '../support/why/golden.ts'

/**
 * Asks all addresses of the environment `shop` by way of the Ingress until they answer with these statuses, and compares
 * what is printed with the golden.
 */
const answersAs = async (
  golden: string,
  statuses: ReadonlyArray<number>,
  space: Space,
  { api, context }: Lab,
): Promise<void> => {
  const proxy = await httpProxy({ to: await addressOf(space) })
  try {
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: new URL(api.name.split(' ')[0] ?? '').hostname }
    const shell = shellIn({ home: space.folder, context, env })
    const command = `devtool endpoints --name shop --namespace ${space.namespace}`
    // A controller learns of an Ingress and of ready pods after a moment.
    await until('the addresses answer as expected', async () => {
      const { stdout } = await shell.must(`${command} -o json`)
      const { endpoints }: { readonly endpoints: ReadonlyArray<{ readonly status?: number }> } = JSON.parse(stdout)
      return statuses.every((status, index) => endpoints[index]?.status === status)
    })
    const { stderr, stdout } = await shell.must(command)
    const text = `$ ${command}\n${stderr}${stdout.replaceAll(/ {2,}/g, '  ')}`
    assertKept(`endpoints/${golden}`, normal(text.replaceAll(space.namespace, 'team')))
  } finally {
    proxy.close()
  }
}

const tried = async (space: Space, lab: Lab): Promise<void> => {
  const broken = [
    'image: busybox:latest',
    'command: ["sleep", "3600"]',
    'ports: ["8080:8080"]',
    'stop_grace_period: 1s',
  ]
  space.write('compose.yaml', compose({ web: page('web', 'ports: ["8080:8080"]'), broken }))
  await space.must('deploy', '--name', 'shop', '--domain', 'apps.example.test')
  await answersAs('untrusted', [502, 200], space, lab)
}

/** Each pod has a container that runs, however long that takes. */
const allRun = (space: Space): Promise<void> =>
  until('all pods run', async () =>
    (await space.list('Pod')).every((pod) => textAt(pod, 'status', 'phase') === 'Running'),
  )

/** Forwards to $BACKEND, as gateways do: 503 without a connection, 504 without an answer within a second. */
const gateway = `require("http").createServer((asked, answer) => {
  const give = (status) => answer.headersSent || answer.writeHead(status).end();
  const sent = require("http").get({ host: process.env.BACKEND, port: 8080, timeout: 1000 }, () => give(200));
  sent.on("timeout", () => { give(504); sent.destroy(); });
  sent.on("error", () => give(503));
}).listen(8080)`.replaceAll('\n', ' ')

const gatewayTo = (backend: string): ReadonlyArray<string> => [
  'image: node:22',
  `command: ["node", "-e", ${JSON.stringify(gateway)}]`,
  `environment: {BACKEND: ${backend}}`,
  'ports: ["8080:8080"]',
  'stop_grace_period: 1s',
]

const unanswered = async (space: Space, lab: Lab): Promise<void> => {
  const silent = [
    'image: busybox:latest',
    'command: ["nc", "-ll", "-p", "8080", "-e", "sleep", "3600"]',
    'expose: [8080]',
    'stop_grace_period: 1s',
  ]
  const unready = [...neverReady, 'expose: [8080]']
  const services = { front: gatewayTo('unready'), late: gatewayTo('silent'), silent, unready }
  space.write('compose.yaml', compose(services))
  const flags = ['--name', 'shop', '--domain', 'apps.example.test']
  await space.must('deploy', ...flags)
  await allRun(space)
  await answersAs('unanswered', [503, 504], space, lab)
  const why = await space.run('why', '--name', 'shop')
  assert.is(why.status, 1, shown(why))
  assert.match(why.stdout, 'unready: the readiness check')
  const ended = await space.run('deploy', ...flags, '--wait', '--timeout', '40s')
  assert.is(ended.status, 6, shown(ended))
  assert.match(ended.stderr, /DT3209: unready: the readiness check .*DT3120: timed out; still waiting for /s)
}

const wrongPort = async (space: Space): Promise<void> => {
  const web = [
    'image: busybox:latest',
    'command: ["sh", "-c", "trap exit TERM; httpd -f -p 3000 & wait"]',
    'ports: ["8080:8080"]',
    'stop_grace_period: 1s',
  ]
  space.write('compose.yaml', compose({ web }))
  const flags = ['--name', 'shop', '--domain', 'apps.example.test']
  await space.must('deploy', ...flags)
  await allRun(space)
  const ended = await space.run('deploy', ...flags, '--wait', '--timeout', '40s')
  assert.is(ended.status, 6, shown(ended))
  const cause =
    /DT3193: web: nothing listens on port 8080, to which Ingress\/web leads \S+; port 3000 of the pod accepts/
  const help = 'correct the port to 3000 in the file, or let the program listen on port 8080'
  for (const part of [cause, help, 'nothing listens on port 8080 yet']) assert.match(ended.stderr, part, shown(ended))
  const why = await space.run('why', '--name', 'shop')
  for (const part of [cause, help]) assert.match(why.stdout, part, shown(why))
}

/** The built-in role `edit` may not read Ingress classes, so it cannot know. */
const unknownClass = async (space: Space, lab: Lab): Promise<void> => {
  space.write('compose.yaml', compose({ web: page('web', 'ports: ["8080:8080"]') }))
  const flags = ['--name', 'shop', '--domain', 'apps.example.test', '--wait']
  const said = /DT3195: web: the Ingress class "ngnix" does not exist, so nothing serves web-\S+\.apps\.example\.test/
  const first = await space.must('deploy', ...flags, '--ingress-class', 'ngnix')
  assert.match(first.stderr, said, shown(first))
  assert.match((await space.must('why', '--name', 'shop')).stdout, said)
  const fixed = await space.must('deploy', ...flags, '--ingress-class', 'kubelab')
  assert.not.match(fixed.stderr, 'DT3195', shown(fixed))
  const changed = await space.must('deploy', ...flags, '--ingress-class', 'ngnix')
  assert.match(changed.stderr, said, 'the address that the class before gave is not taken for one')
  const { context, kubeconfig } = await editorOf(lab, space)
  const editor = space.through(kubeconfig, context)
  for (const told of [await editor.must('deploy', ...flags), await editor.must('why', '--name', 'shop')]) {
    assert.not.match(told.stderr + told.stdout, /DT3195|ingressclass/, shown(told))
  }
}

const test = suite('endpoints')

await scenarios(test, [
  {
    title: 'a certificate that is not trusted is a remark, and a proxy without an application a no',
    space: 'tried',
    run: tried,
  },
  {
    title: 'a gateway that reaches no pod, or gets no answer in time, is a no with the reason',
    space: 'late',
    run: unanswered,
  },
  {
    title: 'a public port on which nothing listens is named with the one that is listened on',
    space: 'port',
    run: wrongPort,
  },
  {
    title: 'an Ingress class that does not exist is told where classes may be read',
    space: 'class',
    run: unknownClass,
  },
])

test.run()
