/** Commands of a manifest: what Helm and kubectl make belongs to the environment, and goes with it. */
import { resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compose, page } from '../support/e2e/apps.ts'
import { pathWithTools } from '../support/e2e/helm.ts'
import { scenarios } from '../support/e2e/scenarios.ts'

const chart = resolve('test/e2e/charts/shop')
const test = suite('commands')

await scenarios(test, [
  {
    title: 'objects created by Helm and kubectl are destroyed, those that existed before are not',
    space: 'tools',
    options: { env: { PATH: await pathWithTools() } },
    run: async (space) => {
      await space.create('ConfigMap', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'before' },
        data: { a: '1' },
      })
      space.write(
        'devtool.yml',
        `
name: tools
deploy:
  commands:
    - name: chart
      command: helm upgrade --install queue ${chart} && echo "COLOR=green" >> "$DEVTOOL_ENV"
    - kubectl create configmap made --from-literal=color=$COLOR
    - kubectl patch configmap before --patch '{"data":{"a":"2"}}'
destroy:
  - kubectl create configmap bye --from-literal=color=$COLOR
${compose({ web: page('web', 'ports: [8080]') })}
`,
      )
      await space.must('deploy', '--wait', '--timeout', '10m')
      const made = await space.get('ConfigMap', 'made')
      assert.equal(made?.['data'], { color: 'green' })
      const secrets = await space.list('Secret')
      assert.ok(secrets.some(({ metadata }) => metadata.name.startsWith('sh.helm.release.v1.queue')))
      await space.serves('web', 'web')

      const { stdout } = await space.must('destroy', '--wait', '--timeout', '10m')
      assert.match(stdout, 'configmap/bye created')
      assert.equal(
        (await space.list('Secret')).map(({ metadata }) => metadata.name),
        [],
      )
      assert.equal(await space.list('Deployment'), [])
      const maps = (await space.list('ConfigMap')).map(({ metadata }) => metadata.name)
      assert.equal(maps.toSorted(), ['before', 'kube-root-ca.crt'])
      assert.equal((await space.get('ConfigMap', 'before'))?.['data'], { a: '2' })
    },
  },
])

test.run()
