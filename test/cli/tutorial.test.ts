/**
 * The tutorial, followed to the letter where it needs no cluster: its files are written, its commands typed, and what it
 * shows is what they print. test/e2e/tutorial.test.ts follows the rest.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blocksIn, type DocBlock, typedIn } from '../support/cli/doc-commands.ts'
import { installedScript } from '../support/cli/installed.ts'

const page = 'docs/tutorial.md'

type Context = { folder: string }
const test = suite<Context>('tutorial')

test.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'devtool-tutorial-'))
  mkdirSync(join(context.folder, 'bin'))
  const command = join(context.folder, 'bin/devtool')
  writeFileSync(command, installedScript)
  chmodSync(command, 0o755)
})

test.after(({ folder }) => rmSync(folder, { recursive: true }))

/** What somebody sees who types this line: what goes to stderr, then the rest. */
const type = (folder: string, line: string): ReadonlyArray<string> => {
  const hello = join(folder, 'hello')
  const { stderr, stdout } = spawnSync('bash', ['-c', line], {
    cwd: existsSync(hello) ? hello : folder,
    env: { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder, NO_COLOR: '1' },
    encoding: 'utf8',
    timeout: 60_000,
  })
  return `${stderr}${stdout}`.split('\n').filter((text) => text !== '')
}

const follow = (folder: string, block: DocBlock): void => {
  const [first = '', ...shown] = block.lines
  if (block.language === 'yaml') {
    const name = /^# (\S+)$/.exec(first)?.[1]
    assert.ok(name, `a file without a name: ${first}`)
    writeFileSync(join(folder, 'hello', name), `${block.lines.join('\n')}\n`)
    return
  }
  const typed = typedIn(block)
  const isSession = block.lines.some((line) => line.startsWith('$ '))
  const line = typed.join('\n')
  const printed = type(folder, line)
  for (const text of isSession ? shown : [])
    assert.ok(printed.includes(text), `${line}\nshows no "${text}" but\n${printed.join('\n')}`)
}

test('commands of the tutorial without a cluster print what it shows', ({ folder }) => {
  const blocks = blocksIn(page, '2. See what a file becomes')
  assert.is(blocks.length, 5)
  for (const block of blocks) follow(folder, block)
  const [keep, compare] = blocksIn(page, '3. Keep the manifests')
  assert.ok(keep && compare)
  follow(folder, keep)
  const file = join(folder, 'hello/compose.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('nginx:1.29', 'nginx:1.31'))
  follow(folder, compare)
})

test('manifests are the same in a folder with another name if the environment has one', ({ folder }) => {
  const manifests = (name: string, flags: string): string => {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'compose.yaml'), readFileSync(join(folder, 'hello/compose.yaml')))
    return type(folder, `cd ../${name} && devtool deploy --dry-run ${flags}`).join('\n')
  }
  assert.match(manifests('one', '--name hello'), 'kind: Deployment')
  assert.is(manifests('one', '--name hello'), manifests('two', '--name hello'))
  assert.is.not(manifests('one', ''), manifests('two', ''))
})

test('the front page of the site shows a part of the tutorial', () => {
  const textOf = ({ lines }: DocBlock): string => lines.join('\n')
  const own = new Set(blocksIn(page).map(textOf))
  const shown = blocksIn('site/pages/index.md').map(textOf)
  assert.is(shown.length, 2)
  assert.equal(
    shown.filter((text) => !own.has(text)),
    [],
  )
})

test.run()
