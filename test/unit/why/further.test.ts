import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findCauses } from '../../../src/domain/why/causes.ts'
import { readLog } from '../../../src/domain/why/log.ts'
import { type Failure, furtherFailures } from '../../support/why/further.ts'
import { deployed, event, pod } from '../../support/why/lives.ts'
import { secondList } from '../../support/why/second-list.ts'

const test = suite('further failures')

const explain = ({ events = [], log = [], spec, status }: Failure) => {
  const parts = spec === undefined ? { status } : { status, spec }
  const said = events.map(([reason, message]) => event('pod-a', reason, message))
  const observed = deployed([pod('a', 'set-web-2', parts)], ...said)
  const [cause] = findCauses(observed, { kind: 'Deployment', name: 'web' }, () => Number.POSITIVE_INFINITY)
  return cause === undefined ? undefined : readLog(cause, log)
}

const isRight = (failure: Failure): boolean => {
  const found = explain(failure)
  if (found === undefined) return false
  const advice = `${found.help ?? ''} ${found.next?.join(' ') ?? ''}`
  return failure.cause.every((words) => words.test(found.message)) && failure.step.every((words) => words.test(advice))
}

for (const [which, list] of [
  ['first', furtherFailures],
  ['second', secondList],
] as const) {
  test(`each of the ${which} twenty further failures is explained with cause and next step`, () => {
    assert.is(list.length, 20)
    assert.equal(
      list.filter((failure) => !isRight(failure)).map(({ title }) => title),
      [],
    )
  })
}

test.run()
