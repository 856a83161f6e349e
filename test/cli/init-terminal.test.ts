/** `devtool init` in a real terminal. Needs `npm run build`. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { installedWords } from '../support/cli/installed.ts'
import { openScreen, type Screen } from '../support/process/screen.ts'

const shell = `${installedWords} init; echo "status $?"; sleep 60`

/** A folder that can be deployed in several ways. */
const inFolder = async (
  during: (screen: Screen, manifest: string) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'init-'))
  mkdirSync(join(folder, 'chart'))
  writeFileSync(join(folder, 'chart/Chart.yaml'), 'name: shop\n')
  writeFileSync(join(folder, 'compose.yaml'), 'services:\n  web:\n    build: .\n    ports: ["8080:80"]\n')
  writeFileSync(join(folder, 'Dockerfile'), 'FROM node:22\n')
  writeFileSync(join(folder, 'package.json'), '{}')
  const env = { PATH: process.env['PATH'], HOME: folder, DEVTOOL_NO_CODE_CACHE: '1', TERM: 'xterm', ...more }
  const screen = openScreen('/bin/sh', ['-c', shell], { columns: 80, rows: 24, cwd: folder, env })
  try {
    await during(screen, join(folder, 'devtool.yml'))
  } finally {
    await screen.hangUp()
    rmSync(folder, { recursive: true, force: true })
  }
}

const answer = async (screen: Screen, keys: Readonly<Record<string, string>>): Promise<void> => {
  for (const [question, typed] of Object.entries(keys)) {
    await screen.until(question)
    screen.type(typed)
  }
  await screen.until('status 0')
}

test('init asks for the name, what is deployed and development containers, and writes the answers', () =>
  inFolder(async (screen, manifest) => {
    await answer(screen, {
      'name of the environment': '\u0015My Shop\r',
      'one service for each Dockerfile': '\r',
      'add development containers for web': '\r',
    })
    const text = readFileSync(manifest, 'utf8')
    assert.match(text, /^name: my-shop$/m)
    assert.match(text, /^ {2}compose: compose\.yaml$/m)
    assert.match(text, /^dev:\n {2}web:$/m)
    assert.match(screen.shown(), 'devtool.yml deploys the services of compose.yaml')
  }))

test('init asks for the other ways to deploy the folder, too', () =>
  inFolder(async (screen, manifest) => {
    await answer(screen, { 'name of the environment': '\r', 'one service for each Dockerfile': '\u001b[B\r' })
    assert.match(readFileSync(manifest, 'utf8'), 'helm upgrade --install')
  }))

test('without a UTF-8 locale, questions are plain ASCII', () =>
  inFolder(
    async (screen) => {
      await screen.until('name of the environment')
      screen.type('\r')
      await screen.until('one service for each Dockerfile')
      await answer(screen, { 'one service for each Dockerfile': '\r', 'add development containers for web': '\r' })
      assert.match(screen.shown(), '+ name of the environment')
      assert.match(screen.shown(), 'Enter: select')
      assert.not.match(screen.shown(), /[^\0-\x7f]/)
    },
    { LC_ALL: 'C', NO_COLOR: '1' },
  ))

for (const [where, first] of [
  ['at the first question', true],
  ['at a later question', false],
] as const) {
  test(`Ctrl-C ${where} writes nothing and leaves the terminal as it was`, () =>
    inFolder(async (screen, manifest) => {
      await screen.until('name of the environment')
      if (!first) {
        screen.type('\r')
        await screen.until('one service for each Dockerfile')
      }
      screen.type('\u0003')
      await screen.until('status 130')
      assert.match(screen.shown(), 'was not answered')
      assert.is(screen.modes(), screen.modesAtStart())
      assert.not.ok(existsSync(manifest))
    }))
}

test.run()
