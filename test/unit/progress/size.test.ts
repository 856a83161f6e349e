import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { showCount, showMoved, showSize } from '../../../src/domain/progress/size.ts'

for (const [bytes, text] of [
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [12_345_678, '12.3 MB'],
  [99_949_999, '99.9 MB'],
  [99_960_000, '100 MB'],
  [999_499_999, '999 MB'],
  [999_500_000, '1.0 GB'],
  [1.5e12, '1.5 TB'],
] as const) {
  test(`${bytes} bytes are ${text}`, () => assert.is(showSize(bytes), text))
}

test('large counts have thousands separators', () => {
  assert.equal([0, 999, 1204, 1_234_567].map(showCount), ['0', '999', '1,204', '1,234,567'])
})

test('a partial size is shown in the unit of the total', () => {
  assert.is(showMoved({ bytes: 45e6, total: 120e6, perSecond: 12e6 }), '45 of 120 MB, 12.0 MB/s')
  assert.is(showMoved({ bytes: 900_000, total: 45.2e6 }), '0.9 of 45.2 MB')
  assert.is(showMoved({ bytes: 12.3e6, files: 1, perSecond: 0 }), '12.3 MB, 1 file, 0 B/s')
})

test.run()
