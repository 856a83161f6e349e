/** `endpoints` by way of a real Ingress controller, which a proxy finds whatever the host is. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compose, page } from '../support/e2e/apps.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { addressOf } from '../support/e2e/http.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { shellIn } from '../support/e2e/typed.ts'
import { httpProxy } from '../support/http/proxy.ts'
import { until } from '../support/process/until.ts'

type Tried = {
  readonly service: string
  readonly answers: boolean
  readonly status?: number
  readonly remark?: string
  readonly reason?: string
}

const tried = async (space: Space, { api, context }: Lab): Promise<void> => {
  const broken = [
    'image: busybox:latest',
    'command: ["sleep", "3600"]',
    'ports: ["8080:8080"]',
    'stop_grace_period: 1s',
  ]
  space.write('compose.yaml', compose({ web: page('web', 'ports: ["8080:8080"]'), broken }))
  await space.must('deploy', '--name', 'shop', '--domain', 'apps.kubelab')
  const proxy = await httpProxy({ to: await addressOf(space) })
  try {
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: new URL(api.name.split(' ')[0] ?? '').hostname }
    const shell = shellIn({ home: space.folder, context, env })
    const ask = async (): Promise<ReadonlyArray<Tried>> => {
      const { stdout } = await shell.must(`devtool endpoints --name shop --namespace ${space.namespace} -o json`)
      const { endpoints }: { readonly endpoints: ReadonlyArray<Tried> } = JSON.parse(stdout)
      return endpoints
    }
    // A controller learns of an Ingress and of ready pods after a moment.
    let rows: ReadonlyArray<Tried> = []
    await until('web answers', async () => {
      rows = await ask()
      return rows.some(({ status }) => status === 200)
    })
    const [noProgram, untrusted] = rows
    assert.equal([noProgram?.service, noProgram?.answers], ['broken', false], JSON.stringify(noProgram))
    assert.ok(/^no, 50[234]: /.test(noProgram?.reason ?? ''), JSON.stringify(noProgram))
    assert.equal([untrusted?.service, untrusted?.answers, untrusted?.status], ['web', true, 200])
    assert.match(untrusted?.remark ?? '', 'but not trusted here: its certificate is ')
  } finally {
    proxy.close()
  }
}

const test = suite('endpoints')

await scenarios(test, [
  {
    title: 'a certificate that is not trusted is a remark, and a proxy without an application a no',
    space: 'tried',
    run: tried,
  },
])

test.run()
