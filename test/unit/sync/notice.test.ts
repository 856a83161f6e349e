/** What people are told about a synchronisation. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { showNotice } from '../../../src/domain/sync/notice.ts'

test('file names and reasons cannot control the terminal, or look like another line', () => {
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
    showNotice('api', { _tag: 'Polled', end: 'there', folders: 2, because: path }),
  ].join('')
  assert.is(shown.includes('\u001b'), false)
  assert.is(shown.includes('\n'), false)
})

test('folders that cannot be watched are counted, with the limit of the kernel', () => {
  assert.is(
    showNotice('api', { _tag: 'Polled', end: 'here', folders: 12, because: 'ENOSPC' }),
    'api: 12 folders are looked at every two seconds here, since the kernel watches no more of them (fs.inotify.max_user_watches)',
  )
  assert.match(
    showNotice('api', { _tag: 'Polled', end: 'there', folders: 1, because: 'NFS' }) ?? '',
    '1 folder is looked at every two seconds in the container, since changes on NFS are not told',
  )
})

test.run()
