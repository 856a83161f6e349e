/** Where programs are looked for: never among the files of a project, unless by a path. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, win32 } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findProgram, placesOf, type System, withoutCurrentFolder } from '../../../src/adapters/process/programs.ts'

const test = suite<{ project: string; bin: string; from: string }>('programs')

const program = (path: string): void => {
  writeFileSync(path, '#!/bin/sh\n')
  chmodSync(path, 0o755)
}

test.before.each((world) => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-programs-'))
  world.project = join(folder, 'project')
  world.bin = join(folder, 'bin')
  for (const place of [world.project, join(world.project, 'tools'), world.bin]) mkdirSync(place, { recursive: true })
  program(join(world.project, 'git'))
  program(join(world.project, 'tools', 'git'))
  world.from = process.cwd()
  process.chdir(world.project)
})

test.after.each(({ from, project }) => {
  process.chdir(from)
  rmSync(join(project, '..'), { recursive: true })
})

const found = (name: string, path: string, folder: string): Promise<string | undefined> =>
  findProgram(name, new Map([['PATH', path]]), folder)

test('a program is not taken from the current folder by an empty or relative element of PATH', async ({
  bin,
  project,
}) => {
  for (const first of ['', '.', 'tools', '../project']) {
    assert.is(await found('git', [first, bin].join(delimiter), project), undefined, `"${first}"`)
  }
  assert.is(await found('git', '', project), undefined)
  program(join(bin, 'git'))
  assert.is(await found('git', ['', '.', bin, ''].join(delimiter), project), join(bin, 'git'))
})

test('a path is looked up from the given folder, and not on the PATH', async ({ bin, project }) => {
  assert.is(await found('./tools/git', bin, project), join(project, 'tools', 'git'))
  assert.is(await found('./tools/git', project, bin), undefined)
})

test('a folder, and a file that is not executable, are not programs', async ({ bin, project }) => {
  mkdirSync(join(bin, 'git'))
  assert.is(await found('git', bin, project), undefined)
  rmSync(join(bin, 'git'), { recursive: true })
  writeFileSync(join(bin, 'git'), '')
  assert.is(await found('git', bin, project), undefined)
})

test('programs that start others do not find them in the current folder either', () => {
  const path = (text: string): string | undefined => withoutCurrentFolder(new Map([['PATH', text]])).get('PATH')
  assert.is(path(['', '/a', '.', 'tools', '/b', ''].join(delimiter)), ['/a', '/b'].join(delimiter))
  assert.is(path(''), '/usr/bin:/bin', 'an empty PATH is the current folder for git')
  assert.is(path('tools'), '/usr/bin:/bin')
  assert.equal([...withoutCurrentFolder(new Map([['HOME', '.']]))], [['HOME', '.']])
})

const windows: System = { isWindows: true, path: win32 }

test('nor on Windows, where names have endings and those of variables any case', () => {
  const path = 'C:\\Git\\bin;;.;bin;..\\up;C:here;D:\\Tools'
  const env = new Map([
    ['Path', path],
    ['PathExt', '.COM;.EXE'],
  ])
  assert.equal(placesOf('git', env, 'C:\\project', windows), [
    'C:\\Git\\bin\\git',
    'C:\\Git\\bin\\git.COM',
    'C:\\Git\\bin\\git.EXE',
    'D:\\Tools\\git',
    'D:\\Tools\\git.COM',
    'D:\\Tools\\git.EXE',
  ])
  assert.is(placesOf('.\\git', env, 'C:\\project', windows)[0], 'C:\\project\\git')
  assert.is(withoutCurrentFolder(env, windows).get('Path'), 'C:\\Git\\bin;D:\\Tools')
  assert.is(withoutCurrentFolder(new Map([['PATH', '.']]), windows).get('PATH'), '')
})

test.run()
