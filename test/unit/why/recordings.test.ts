import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { why } from '../../../src/app/inspect/why.ts'
import { viewed } from '../../../src/cli/view/view.ts'
import { showWhy } from '../../../src/cli/view/why.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { clusterIn } from '../../support/cluster/memory-case.ts'
import { expectedCodes, normal } from '../../support/why/expected.ts'
import { environment } from '../../support/why/objects.ts'

const test = suite('recordings')

const folder = new URL('../../golden/why/', import.meta.url)
const namesOf = (extension: string): ReadonlyArray<string> =>
  readdirSync(folder).flatMap((file) => (file.endsWith(extension) ? [file.slice(0, -extension.length)] : []))
const services = namesOf('.json')

const textIn = (file: string): string => readFileSync(new URL(file, folder), 'utf8')

for (const service of services) {
  test(`${service}, recorded on a real cluster, is explained as it was there`, async () => {
    const { cluster: described } = clusterIn(textIn(`${service}.json`))
    const target = { cluster: memoryCluster(described), namespace: 'why-e2e' }
    const found = await why({ clock: memoryClock() })({ target, environment, service })
    const { output } = viewed(found, (report) => showWhy('text', report))
    assert.is(normal(typeof output === 'string' ? output : ''), textIn(`${service}.txt`))
  })
}

test('each golden and recording belongs to a kind of failure that is provoked on a cluster', () => {
  assert.equal(namesOf('.txt').toSorted(), Object.keys(expectedCodes).toSorted())
  assert.equal(
    services.filter((service) => expectedCodes[service] === undefined),
    [],
  )
})

test.run()
