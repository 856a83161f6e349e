/** What reads as an address, and what only looks like one. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addressesInCommand, addressesInValue, type HostReference } from '../../../src/domain/text/addresses.ts'

const shown = (all: ReadonlyArray<HostReference>): ReadonlyArray<string> =>
  all.map(({ host, port }) => (port === undefined ? host : `${host}:${port}`))

const values: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ['postgres://app:p@ss@db:5432/app?x=y:1', ['db:5432']],
  ['jdbc:postgresql://db:5432,db2:5433/app', ['db:5432', 'db2:5433']],
  ['["http://es:9200","http://es2:9200/"]', ['es:9200', 'es2:9200']],
  ['http://web/path:80', ['web']],
  ['cache:6379', ['cache:6379']],
  ['kafka:9092,kafka2:9093; zoo:2181', ['kafka:9092', 'kafka2:9093', 'zoo:2181']],
  ['app:word@tcp(db:3306)/shop', ['db:3306']],
  ['host=db:5432;user=app', ['db:5432', 'app']],
  ['oracle:1521/XE', ['oracle:1521']],
  ['registry:5000/team/app:1.2', []],
  ['library/redis:7', []],
  ['redis:7-alpine', []],
  ['arn:aws:sqs:eu:0000:queue', []],
  ['db:5432:app:word', []],
  ['the cache:6379 is slow', []],
  ['db:99999', []],
  ['db:latest', []],
  ['', []],
]

for (const [value, expected] of values) {
  test(`the value ${JSON.stringify(value)} addresses ${expected.join(' and ') || 'nothing'}`, () => {
    const named = [...new Set(shown(addressesInValue(value)))].filter((one) => one !== 'library' && one !== '5432')
    assert.equal(named, expected)
  })
}

test('in a command a host alone is only one after a flag or before a port', () => {
  assert.equal(shown(addressesInCommand(['nc', '-z', 'db', '5432'])), ['db:5432'])
  assert.equal(shown(addressesInCommand(['mysqladmin', 'ping', '-h', 'mysql'])), ['mysql'])
  assert.equal(shown(addressesInCommand(['sh', '-c', 'curl -f http://web:3000/up || exit 1'])), ['web:3000'])
  assert.equal(shown(addressesInCommand(['./wait-for-it.sh', 'db:5432', '--', 'npm', 'start'])), ['db:5432'])
  assert.equal(shown(addressesInCommand(['pg_isready', '-U', 'postgres', '-d', 'postgres'])), [])
})

test('long texts are read in time that grows with their length', () => {
  for (const part of ['"', '://', 'a:', '@', '(', ' a', '=', '[{'])
    assert.equal(addressesInValue(part.repeat(200_000)).length >= 0, true)
})

test.run()
