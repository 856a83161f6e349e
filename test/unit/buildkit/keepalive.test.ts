import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { keepAlive } from '../../../src/adapters/buildkit/rpc/keepalive.ts'
import { readKeepalive } from '../../../src/domain/build/keepalive.ts'
import * as C from '../../../src/domain/checked.ts'
import { memoryClock } from '../../memory/clock.ts'

const TIME = 'DEVTOOL_KEEPALIVE_CLIENT_TIME_MS'
const TIMEOUT = 'DEVTOOL_KEEPALIVE_CLIENT_TIMEOUT_MS'
const IDLE = 'DEVTOOL_KEEPALIVE_CLIENT_PERMIT_WITHOUT_STREAM'

const read = (variables: Readonly<Record<string, string>>) => readKeepalive((name) => variables[name])

test('by default no pings are sent', () => {
  const usual = { timeMs: Number.POSITIVE_INFINITY, timeoutMs: 20_000, whileIdle: false }
  assert.equal(read({}), C.ok(usual))
  assert.equal(read({ [TIME]: '', [TIMEOUT]: ' ', [IDLE]: '' }), C.ok(usual))
})

test('all keepalive variables are read', () => {
  const checked = read({ [TIME]: '30000', [TIMEOUT]: ' 1 ', [IDLE]: 'true' })
  assert.equal(checked, C.ok({ timeMs: 30_000, timeoutMs: 1, whileIdle: true }))
})

test('a keepalive time below 10 seconds is raised to 10 seconds', () => {
  for (const text of ['0', '1', '9999', '10000']) assert.is(C.valueOf(read({ [TIME]: text }))?.timeMs, 10_000)
  assert.is(C.valueOf(read({ [TIME]: '10001' }))?.timeMs, 10_001)
})

test('all invalid values are reported at once', () => {
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

test('a value that is not a whole number is refused', () => {
  for (const text of ['-1', '1.5', '1e4', '0x10', '١', '1000000000000000']) {
    assert.is(C.findings(read({ [TIME]: text })).length, 1, text)
  }
})

/** A builder in a call that says nothing, pinged after 10 seconds and given 5 to answer. */
const silent = (whileReading: (receive: () => void) => void = () => {}) => {
  const clock = memoryClock()
  const told: Array<string> = []
  let bytes = 0
  const stop = keepAlive(
    { timeMs: 10_000, timeoutMs: 5000, whileIdle: false },
    {
      receivedBytes: () => {
        const now = bytes
        whileReading(() => (bytes += 1))
        return now
      },
      isBusy: () => true,
      ping: () => told.push(`ping ${clock.now()}`),
      fallSilent: (afterMs) => told.push(`silent after ${afterMs}`),
    },
    clock,
  )
  return { clock, told, stop, receive: () => (bytes += 1) }
}

test('a silent builder is pinged once, and lost if it does not answer in time', async () => {
  const { clock, told } = silent()
  await clock.advance(14_500)
  assert.equal(told, ['ping 10000'])
  await clock.advance(500)
  assert.equal(told, ['ping 10000', 'silent after 15000'])
  await clock.advance(60_000)
  assert.is(told.length, 2)
})

test('received bytes restart the keepalive time', async () => {
  const { clock, receive, stop, told } = silent()
  await clock.advance(9_000)
  receive()
  await clock.advance(10_000)
  assert.equal(told, [])
  await clock.advance(1_000)
  assert.equal(told, ['ping 19500'])
  stop()
})

test('an unread answer at the timeout keeps the connection', async () => {
  let isLate = false
  const { clock, stop, told } = silent((receive) => {
    if (isLate) setImmediate(receive)
    isLate = false
  })
  await clock.advance(14_999)
  isLate = true
  await clock.advance(1)
  assert.equal(told, ['ping 10000'])
  stop()
})

test('no pings are sent after closing', async () => {
  const { clock, stop, told } = silent()
  await clock.advance(9_000)
  stop()
  await clock.advance(60_000)
  assert.equal([told, clock.sleeping()], [[], 0])
})

test.run()
