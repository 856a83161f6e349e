/** What people are told about a synchronisation. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { showNotice } from '../../../src/domain/sync/notice.ts'

test('the name of a file and a reason cannot change the terminal, or look like another line', () => {
  const path = 'a\u001b[2J\nb'
  const shown = [
    showNotice('api', { _tag: 'Conflict', end: 'there', path, keptAs: `${path}.conflict-1` }),
    showNotice('api', {
      _tag: 'ActTrouble',
      act: { _tag: 'MakeFolder', end: 'there', path, expect: undefined },
      reason: path,
    }),
    showNotice('api', { _tag: 'TreeTrouble', end: 'there', reason: path }),
    showNotice('api', { _tag: 'StoreTrouble', reason: path }),
  ].join('')
  assert.is(shown.includes('\u001b'), false)
  assert.is(shown.includes('\n'), false)
})

test.run()
