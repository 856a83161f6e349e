import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readKeepalive } from '../../../src/domain/build/keepalive.ts'
import * as C from '../../../src/domain/checked.ts'

const TIME = 'DEVTOOL_KEEPALIVE_CLIENT_TIME_MS'
const TIMEOUT = 'DEVTOOL_KEEPALIVE_CLIENT_TIMEOUT_MS'
const IDLE = 'DEVTOOL_KEEPALIVE_CLIENT_PERMIT_WITHOUT_STREAM'

const read = (variables: Readonly<Record<string, string>>) => readKeepalive((name) => variables[name])

test('by default nobody is pinged', () => {
  const usual = { timeMs: Number.POSITIVE_INFINITY, timeoutMs: 20_000, whileIdle: false }
  assert.equal(read({}), C.ok(usual))
  assert.equal(read({ [TIME]: '', [TIMEOUT]: ' ', [IDLE]: '' }), C.ok(usual))
})

test('all of them are read', () => {
  const checked = read({ [TIME]: '30000', [TIMEOUT]: ' 1 ', [IDLE]: 'true' })
  assert.equal(checked, C.ok({ timeMs: 30_000, timeoutMs: 1, whileIdle: true }))
})

test('a time below 10 seconds is raised to that', () => {
  for (const text of ['0', '1', '9999', '10000']) assert.is(C.valueOf(read({ [TIME]: text }))?.timeMs, 10_000)
  assert.is(C.valueOf(read({ [TIME]: '10001' }))?.timeMs, 10_001)
})

test('every bad value is named, all of them at once', () => {
  const checked = read({ [TIME]: '10s', [TIMEOUT]: '0', [IDLE]: 'maybe' })
  assert.is(C.valueOf(checked)?.timeMs, Number.POSITIVE_INFINITY)
  assert.ok(C.hasErrors(C.findings(checked)))
  assert.equal(
    C.findings(checked).map(({ code, message }) => `${code} ${message}`),
    [
      `DT4021 ${TIME}: "10s" is not a number of milliseconds`,
      `DT4021 ${TIMEOUT}: "0" is not a number of milliseconds`,
      `DT4021 ${IDLE}: "maybe" is neither true nor false`,
    ],
  )
})

test('what is no whole number is refused', () => {
  for (const text of ['-1', '1.5', '1e4', '0x10', '١', '1000000000000000']) {
    assert.is(C.findings(read({ [TIME]: text })).length, 1, text)
  }
})

test.run()
