/** Forwarded ports of a manifest. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { translateFiles } from '../../support/compose/project.ts'

const read = (written: string) => {
  const { findings, manifest } = translateFiles({ 'devtool.yml': `dev:\n  api:\n    forward: ["${written}"]\n` })
  return {
    forwards: manifest?.dev[0]?.forward.map(({ local, remote, service = '' }) => `${local}:${service}:${remote}`),
    errors: findings.filter(({ code }) => code === 'DT1510').map(({ message }) => message.replace(/^[^:]*: /, '')),
  }
}

test('a range forwards each of its ports', () => {
  assert.equal(read('8080-8082:80-82').forwards, ['8080::80', '8081::81', '8082::82'])
  assert.equal(read('5432-5433:db:1-2').forwards, ['5432:db:1', '5433:db:2'])
  assert.equal(read('8080-8080:80').forwards, ['8080::80'])
  assert.is(read('1-1000:1-1000').forwards?.length, 1000)
})

test('ranges of different lengths, backwards, too long or of something else are refused', () => {
  for (const [written, message] of [
    ['8080-8082:80-81', '"8080-8082:80-81" has 3 local ports and 2 remote ones'],
    ['82-80:1-3', 'the range "82-80" ends before it starts'],
    ['1-1001:1-1001', 'the range "1-1001" has more than 1000 ports'],
    ['a-b:1-2', '"a-b" is not a range of ports from 1 to 65535'],
    ['1-2-3:1', '"1-2-3" is not a range of ports from 1 to 65535'],
    ['70000:80', '"70000" is not a port from 1 to 65535'],
  ] as const) {
    assert.is(read(written).errors[0], message)
  }
})

test('a port of a range counts as used', () => {
  const text = 'dev:\n  api:\n    forward: ["8080-8082:80-82", "8081:90"]\n'
  const { findings } = translateFiles({ 'devtool.yml': text })
  assert.match(findings.map(({ message }) => message).join('\n'), 'the local port 8081 is used twice')
})

test.run()
