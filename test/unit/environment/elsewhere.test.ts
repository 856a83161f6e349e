/** An environment that is not in this namespace may be in another. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sayElsewhere } from '../../../src/app/environment/elsewhere.ts'
import { error } from '../../../src/domain/diagnostic/diagnostic.ts'
import { memoryCluster } from '../../memory/cluster.ts'

const record = (environment: string, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `devtool-env-${environment}`, namespace, labels: { 'dev.devtool/kind': 'environment' } },
})
const { signal } = new AbortController()
const absent = error('DT3407', 'there is no environment "vote" in namespace dev', { help: '`devtool list`' })

const helpOf = async (...objects: ReadonlyArray<ReturnType<typeof record>>) => {
  const cluster = memoryCluster({ objects })
  const [said] = await sayElsewhere({ cluster }, 'vote', [absent], signal)
  return said?.help
}

test('the namespace that has the environment is named', async () => {
  const help = await helpOf(record('vote', 'vote'), record('blog', 'blog'))
  assert.is(help, 'environment vote is in namespace vote (--namespace vote)')
})

test('all namespaces that have one are named', async () => {
  const help = await helpOf(record('vote', 'b'), record('vote', 'a'))
  assert.is(help, 'environment vote is in the namespaces a, b (--namespace a)')
})

test('if there is none, or nothing may be listed, the advice does not change', async () => {
  assert.is(await helpOf(record('blog', 'blog')), '`devtool list`')
  const cluster = memoryCluster({
    objects: [record('vote', 'vote')],
    failures: [{ verb: 'list', what: '*', status: 403, reason: 'Forbidden', message: 'no' }],
  })
  const [said] = await sayElsewhere({ cluster }, 'vote', [absent], signal)
  assert.is(said?.help, '`devtool list`')
})

test.run()
