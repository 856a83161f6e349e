/** What is kept of two outputs for a client that loses its connection at any point. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { replayOf } from '../../src/adapters/ssh/replay.ts'

type Event =
  | { readonly _tag: 'Written'; readonly of: 0 | 1; readonly text: string }
  | { readonly _tag: 'Arrived'; readonly of: 0 | 1; readonly share: number }
  | { readonly _tag: 'Confirmed' }
  | { readonly _tag: 'Resumed' }

const of = fc.constantFrom<0 | 1>(0, 1)
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ _tag: fc.constant('Written'), of, text: fc.string({ minLength: 1, maxLength: 20 }) }),
  fc.record({ _tag: fc.constant('Arrived'), of, share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.constant<Event>({ _tag: 'Confirmed' }),
  fc.constant<Event>({ _tag: 'Resumed' }),
)

test('a client that resumes at what has arrived gets each byte of both outputs once', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const outputs = ([0, 1] as const).map(() => ({ kept: replayOf(), written: '', sent: '', arrived: '' }))
      for (const happened of [...events, { _tag: 'Resumed' } as const]) {
        for (const [index, one] of outputs.entries()) {
          const isMeant = 'of' in happened && happened.of === index
          if (happened._tag === 'Written' && isMeant) {
            const bytes = Buffer.from(happened.text, 'latin1')
            one.kept.add(bytes)
            one.written += bytes.toString('latin1')
            one.sent += bytes.toString('latin1')
          } else if (happened._tag === 'Arrived' && isMeant) {
            const bytes = Math.round(happened.share * one.sent.length)
            one.arrived += one.sent.slice(0, bytes)
            one.sent = one.sent.slice(bytes)
          } else if (happened._tag === 'Confirmed') one.kept.forget(one.arrived.length)
          else if (happened._tag === 'Resumed') {
            // What was on its way is lost with the connection.
            const { bytes, from } = one.kept.since(one.arrived.length)
            assert.is(from, one.arrived.length)
            one.sent = bytes.toString('latin1')
          }
        }
      }
      for (const { arrived, sent, written } of outputs) assert.is(arrived + sent, written)
    }),
  )
})

test.run()
