import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { longName } from '../../../src/agent/long-name.ts'

const now = new Date(2026, 10, 29, 6, 11).getTime()
const attributes = { uid: 1000, gid: 65_532, size: 6, atime: 0, mtime: now / 1000 }
const modes: ReadonlyArray<readonly [number, string]> = [
  [0o100640, '-rw-r-----'],
  [0o104755, '-rwsr-xr-x'],
  [0o102644, '-rw-r-Sr--'],
  [0o040755, 'drwxr-xr-x'],
  [0o041777, 'drwxrwxrwt'],
  [0o041776, 'drwxrwxrwT'],
  [0o120777, 'lrwxrwxrwx'],
  [0o010600, 'prw-------'],
  [0o140755, 'srwxr-xr-x'],
]

test('a file is listed as by ls -l', () => {
  for (const [mode, shown] of modes) {
    assert.is(longName('a b', { ...attributes, mode }, now), `${shown}   1 1000     65532           6 Nov 29 06:11 a b`)
  }
})

test('old files, and those of the future, have a year instead of a time', () => {
  for (const year of [2025, 2027]) {
    const mtime = new Date(year, 10, 29).getTime() / 1000
    assert.match(longName('a', { ...attributes, mtime, mode: 0o100600 }, now), new RegExp(` Nov 29  ${year} a$`))
  }
})

test.run()
