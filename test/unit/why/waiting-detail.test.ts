import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type AwaitedObject, beginWaiting, stepWaiting } from '../../../src/domain/why/waiting.ts'

const web: AwaitedObject = { ref: { kind: 'Deployment', name: 'web' }, condition: 'available', service: 'web' }

test('a wait that is cut short says on which ports nothing listened', () => {
  const begun = { ...beginWaiting, detail: '1 of 1 ready' }
  const told = (open: ReadonlyArray<number>, ports: ReadonlyArray<number> = [8080]): string => {
    const { state } = stepWaiting(web, begun, { _tag: 'Probed', pod: 'web-1', ports, open })
    const { command } = stepWaiting(web, state, { _tag: 'Ended' })
    return command._tag === 'End' && command.waited._tag === 'Aborted' ? command.waited.detail : ''
  }
  assert.is(told([]), '1 of 1 ready, nothing listens on port 8080 yet')
  assert.is(told([], [9090, 80]), '1 of 1 ready, nothing listens on the ports 80, 9090 yet')
  assert.is(told([8080]), '1 of 1 ready')
})

test.run()
