/** Ports that are written in the form of others. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { objectsOf, translateFiles } from '../../support/compose/project.ts'

const translated = (fields: string) =>
  translateFiles({ 'compose.yaml': `services: {web: {image: nginx, ${fields}}}\n` })

test('expose opens nothing to the outside, however it is written', () => {
  for (const written of ['8080:80', '0.0.0.0:8080:80', '127.0.0.1:8080:80']) {
    const made = translated(`expose: ["${written}"]`)
    assert.equal(
      made.findings.filter(({ severity }) => severity !== 'note'),
      [],
    )
    assert.equal(
      objectsOf(made).map(({ kind }) => kind),
      ['Deployment', 'Service'],
    )
    assert.equal(
      objectsOf(made).flatMap((one) => (one.kind === 'Service' ? one.spec.ports?.map(({ port }) => port) : [])),
      [80, 8080],
    )
  }
})

test('the numbers of a port in the long form are numbers', () => {
  const numbers = (port: string): ReadonlyArray<string> =>
    translated(`ports: [${port}]`).findings.flatMap(({ code, message }) => (code === 'DT1023' ? [message] : []))
  for (const written of ['8080:80', '127.0.0.1:8080:80', '80/udp']) {
    assert.equal(numbers(`{target: "${written}"}`), [`services.web.ports[0].target: "${written}" is not a port`])
    assert.equal(numbers(`{target: 80, published: "${written}"}`), [
      `services.web.ports[0].published: "${written}" is not a port`,
    ])
  }
  assert.equal(numbers('{target: "80", published: "8080-8090"}'), [])
})

test.run()
