/** Reading the log of a container, by events alone: no time passes here, and no cluster answers. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Failure } from '../../../src/domain/cluster/failure.ts'
import {
  beginLog,
  type LogReaderCommand,
  type LogReaderEvent,
  type LogReaderStep,
  type LogReading,
  stepLog,
} from '../../../src/domain/logs/reader.ts'
import type { LogContainer } from '../../../src/domain/logs/sources.ts'

const asked = { verb: 'get the log of', what: 'Pod/web-1' }
const unanswered: Failure = { _tag: 'Unreachable', asked, server: 's', cause: 'c', mayHaveHappened: false }
const refused = (status: number): Failure => ({ _tag: 'Refused', asked, status, reason: '', message: '', causes: [] })

const running: LogContainer = {
  ...{ service: 'web', pod: 'web-1', container: 'web', uid: 'u', restarts: 0 },
  ...{ hasLog: true, hasPrevious: false, isRunning: true, isOver: false },
}
const crashed: LogContainer = { ...running, isRunning: false }
const over: LogContainer = { ...running, isRunning: false, isOver: true }
const after = (restarts: number, container = running): LogContainer => ({ ...container, restarts })

const following: LogReading = { isFollowing: true, instances: 'Present' }
const printing: LogReading = { isFollowing: false, instances: 'Present' }

const read: LogReaderEvent = { _tag: 'Ended', hasLines: true }
const empty: LogReaderEvent = { _tag: 'Ended', hasLines: false }
const broken = (failure: Failure): LogReaderEvent => ({ _tag: 'Ended', hasLines: false, failure })
const slept: LogReaderEvent = { _tag: 'Slept' }
const looked = (now?: LogContainer): LogReaderEvent => ({ _tag: 'Looked', now })
const seen = (now?: LogContainer): LogReaderEvent => ({ _tag: 'Seen', now })

const run = (how: LogReading, first: LogContainer, events: ReadonlyArray<LogReaderEvent>): LogReaderStep =>
  events.reduce<LogReaderStep>(({ state }, event) => stepLog(how, state, event), beginLog(how, first))

const show = (command: LogReaderCommand): string => {
  switch (command._tag) {
    case 'Stream':
      return `${command.isFollowed ? 'follow' : 'read'} the ${command.isPrevious ? 'previous' : 'present'} log`
    case 'Sleep':
      return `sleep ${command.ms}`
    case 'Peek':
      return command.isLater ? 'await a change' : 'peek'
    case 'Look':
      return 'look'
    case 'Stop':
      return 'stop'
  }
}

const next = (how: LogReading, first: LogContainer, ...events: ReadonlyArray<LogReaderEvent>): string =>
  show(run(how, first, events).command)

test('the log of the previous instance is read once, and nothing after it', () => {
  const how: LogReading = { isFollowing: false, instances: 'Previous' }
  assert.is(next(how, after(1)), 'read the previous log')
  assert.is(next(how, after(1), read), 'stop')
  assert.is(next(how, after(1), broken(refused(400))), 'stop')
  assert.is(next(how, after(1), broken(unanswered)), 'sleep 250')
  assert.is(next(how, after(1), broken(unanswered), slept), 'read the previous log')
})

test('without following, a log is read once', () => {
  assert.is(next(printing, running), 'read the present log')
  assert.is(next(printing, running, read), 'stop')
  assert.is(next(printing, running, empty), 'stop')
})

test('a log that breaks while it is printed is requested six times, then it fails', () => {
  const again = [broken(unanswered), slept]
  const often = Array.from({ length: 5 }, () => again).flat()
  assert.is(next(printing, running, ...often), 'read the present log')
  const last = run(printing, running, [...often, broken(unanswered)])
  assert.equal([show(last.command), last.trouble?._tag], ['stop', 'Failed'])
  assert.is(next(printing, running, ...often, { ...read, failure: unanswered }), 'sleep 250')
})

test('pauses grow to ten seconds while no line arrives, and start over after a line', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map((times) => {
    const rounds = Array.from({ length: times - 1 }, () => [broken(unanswered), slept, looked(running)]).flat()
    return next(following, running, ...rounds, broken(unanswered))
  })
  assert.equal(
    pauses,
    [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000].map((ms) => `sleep ${ms}`),
  )
  assert.is(next(following, running, broken(unanswered), slept, looked(running), read), 'sleep 250')
})

test('a followed log resumes after a lost connection, even if the cluster does not respond for a while', () => {
  const lost = run(following, running, [broken(unanswered)])
  assert.is(lost.trouble?._tag, 'Lost')
  assert.is(next(following, running, broken(unanswered), slept), 'look')
  assert.is(next(following, running, broken(unanswered), slept, { _tag: 'LookFailed' }), 'follow the present log')
})

for (const failure of [refused(403), refused(404), { _tag: 'Aborted', asked } as const]) {
  test(`a log that ends with ${failure._tag} ${'status' in failure ? failure.status : ''} is not asked for again`, () => {
    const { command, trouble } = run(following, running, [broken(failure)])
    assert.equal([show(command), trouble?._tag], ['stop', 'Failed'])
  })
}

test('while a container is being created its log may be refused, and only a follower waits for it', () => {
  assert.is(next(following, running, broken(refused(400))), 'sleep 250')
  assert.is(next(printing, running, broken(refused(400))), 'stop')
})

test('the log of a terminated container is read to its end, even if its pod is gone', () => {
  assert.is(next(following, over, read), 'stop')
  assert.is(next(following, running, read, slept, looked(over)), 'follow the present log')
  assert.is(next(following, running, read, slept, looked(over), empty), 'stop')
  assert.is(next(following, running, read, slept, looked()), 'stop')
})

test('when a container restarts, the rest of the old log is read before the new one', () => {
  const replaced = [read, slept, looked(after(1))]
  assert.is(next(following, running, ...replaced), 'read the previous log')
  assert.is(next(following, running, ...replaced, broken(refused(404))), 'follow the present log')
})

test('the log of a crashed container is read to its end and not requested again until it restarts', () => {
  const rest = [read, slept, looked(crashed)]
  assert.is(next(following, running, ...rest), 'read the present log')
  assert.is(next(following, running, ...rest, empty), 'peek')
  assert.is(next(following, running, ...rest, empty, seen(crashed)), 'await a change')
  assert.is(next(following, running, ...rest, empty, seen(crashed), seen(crashed)), 'await a change')
  assert.is(next(following, running, ...rest, empty, seen(after(1))), 'follow the present log')
  assert.is(next(following, running, ...rest, empty, seen()), 'stop')
})

test('an instance that started and ended meanwhile is not lost', () => {
  const rest = [read, slept, looked(crashed), empty]
  assert.is(next(following, running, ...rest, seen(after(2, crashed))), 'read the previous log')
  assert.is(next(following, running, ...rest, seen(after(2, crashed)), read), 'follow the present log')
})

test('a pod that crashed before it was seen is read from its previous instance', () => {
  const how: LogReading = { isFollowing: true, instances: 'Both' }
  assert.is(next(how, after(1)), 'read the previous log')
  assert.is(next(how, after(1), empty), 'follow the present log')
  assert.is(next(how, running), 'follow the present log')
})

test.run()
