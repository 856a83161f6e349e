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

/** By title: what is not explained yet. */
const unexplained: ReadonlyArray<string> = [
  'the image is in a format that containerd does not read any more',
  'every node has as many pods as it may have',
  'no node has a GPU that is free',
  'the health check answers too late',
  'PostgreSQL was initialised with another password',
  'MySQL was initialised with another password',
  'the folder of PostgreSQL is the root of a new disk',
  'the program looks for its database on its own pod',
  'a module of Node is not there',
  'a module of Python is not there',
  'Elasticsearch needs a higher limit of the node',
  'the node has no watcher of files left',
  'the certificate of a server is not trusted',
  'the program may not change the owner of its files',
  'the program ends with a segmentation fault',
]

for (const [which, list] of [
  ['first', furtherFailures],
  ['second', secondList],
] as const) {
  test(`of the ${which} twenty further failures, all but the known exceptions are explained with cause and next step`, () => {
    assert.is(list.length, 20)
    assert.equal(
      list.flatMap((failure) => (isRight(failure) ? [] : [failure.title])),
      list.flatMap(({ title }) => (unexplained.includes(title) ? [title] : [])),
    )
  })
}

test.run()
