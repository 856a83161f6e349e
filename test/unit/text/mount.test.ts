import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readMount, type ShortMount } from '../../../src/domain/text/mount.ts'

const mount = (
  kind: ShortMount['kind'],
  source: string | undefined,
  target: string,
  ...options: ReadonlyArray<string>
) => ({
  ...(source === undefined ? {} : { source }),
  target,
  options,
  kind,
})

const GOOD: ReadonlyArray<readonly [string, ShortMount]> = [
  ['/path', mount('anonymous', undefined, '/path')],
  ['C:\\path', mount('anonymous', undefined, 'C:\\path')],
  ['data:/path', mount('volume', 'data', '/path')],
  ['data:/path:ro', mount('volume', 'data', '/path', 'ro')],
  ['data:/path:nocopy,ro', mount('volume', 'data', '/path', 'nocopy', 'ro')],
  ['data:/path:ro,,z', mount('volume', 'data', '/path', 'ro', 'z')],
  ['data:/path:bogus', mount('volume', 'data', '/path', 'bogus')],
  ['./foo:/target', mount('bind', './foo', '/target')],
  ['../foo:/target', mount('bind', '../foo', '/target')],
  ['.:/target', mount('bind', '.', '/target')],
  ['~/thing:/target', mount('bind', '~/thing', '/target')],
  ['~:/target', mount('bind', '~', '/target')],
  ['/foo:/target:ro,z', mount('bind', '/foo', '/target', 'ro', 'z')],
  ['src/app:/target', mount('bind', 'src/app', '/target')],
  ['src\\app:/target', mount('bind', 'src\\app', '/target')],
  ['C:\\x:/y', mount('bind', 'C:\\x', '/y')],
  ['C:/x:/y:ro', mount('bind', 'C:/x', '/y', 'ro')],
  ['C:\\source\\foo:D:\\target:ro,rprivate', mount('bind', 'C:\\source\\foo', 'D:\\target', 'ro', 'rprivate')],
  ['c:/:d:/forward/too', mount('bind', 'c:/', 'd:/forward/too')],
  ['data:d:\\target', mount('volume', 'data', 'd:\\target')],
  ['./a:d:/target', mount('bind', './a', 'd:/target')],
  ['\\\\.\\pipe\\engine:\\\\.\\pipe\\inside', mount('bind', '\\\\.\\pipe\\engine', '\\\\.\\pipe\\inside')],
  ['d:/data', mount('volume', 'd', '/data')],
  ['d:/data:z', mount('volume', 'd', '/data', 'z')],
  ['/with space:/a b', mount('bind', '/with space', '/a b')],
]

for (const [text, expected] of GOOD) {
  test(`mount "${text}" is read`, () => {
    assert.equal(readMount(text), E.right(expected))
  })
}

const BAD: ReadonlyArray<readonly [string, string, number, number]> = [
  ['', 'the mount is empty', 0, 0],
  ['data', 'the target "data" is not an absolute path', 0, 4],
  ['.', 'the target "." is not an absolute path', 0, 1],
  ['data:', 'the target of the mount is empty', 5, 5],
  ['/foo::ro', 'the target of the mount is empty', 5, 5],
  [':/foo', 'the source of the mount is empty', 0, 1],
  ['data:foo', 'the target "foo" is not an absolute path', 5, 8],
  ['/foo:ro', 'the target "ro" is not an absolute path', 5, 7],
  ['C:\\x:ro', 'the target "ro" is not an absolute path', 5, 7],
  ['data:/path:', 'the options of the mount are empty', 10, 11],
  ['/foo:/foo:ro:foo', 'too many colons in a mount', 0, 16],
  ['C:\\a:D:\\b:ro:x', 'too many colons in a mount', 0, 14],
  [':::::::::', 'too many colons in a mount', 0, 9],
]

for (const [text, message, start, end] of BAD) {
  test(`mount "${text}" is refused: ${message}`, () => {
    assert.equal(readMount(text), E.left({ message, start, end }))
  })
}

test.run()
