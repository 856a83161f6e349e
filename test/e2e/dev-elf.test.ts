/** What readelf says of the program that the agent is started with. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { useLoader } from '../../src/domain/dev/elf.ts'
import { type Bytes, bytesOf, loader, parse, programs, reader, rightOf } from '../support/dev/elf.ts'

/** Program headers and dynamic section; the file has holes where it is not known. */
const seenByReadelf = (pieces: ReadonlyArray<Bytes>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'elf-'))
  const file = openSync(join(folder, 'program'), 'w')
  for (const { bytes, offset } of pieces) writeSync(file, bytes, 0, bytes.length, offset)
  closeSync(file)
  const { stdout } = spawnSync('readelf', ['-lWd', join(folder, 'program')], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return stdout
}

const withoutLoader = (seen: string): string =>
  seen
    .split('\n')
    .filter((line) => !/program interpreter|\(RPATH\)|\(NULL\)|entries:$/.test(line))
    .join('\n')

for (const [name, { pieces }] of Object.entries(programs)) {
  const original = bytesOf(pieces)
  test(`${name}: readelf shows the same for the edited program, except its loader and search path`, () => {
    const { dynamic, elf } = parse(reader(original))
    const [before, after] = [original, [...original, ...rightOf(useLoader(elf, dynamic, loader))]].map(seenByReadelf)
    assert.ok(before && after)
    assert.match(after, `[Requesting program interpreter: ${loader}]`)
    assert.match(after, /\(RPATH\)/)
    assert.is(withoutLoader(after), withoutLoader(before))
  })
}

test.run()
