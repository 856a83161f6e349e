/** The hooks for pre-commit, by pre-commit itself: from a tag of a repository, at commits of another one. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/command.ts'
import { hostSingle } from '../../scripts/release/single.ts'
import { blocksIn } from '../support/cli/doc-commands.ts'

type Repository = {
  readonly write: (name: string, text: string) => void
  readonly read: (name: string) => string
  readonly run: (program: string, ...args: ReadonlyArray<string>) => string
  /** Of what was added, or of all changes: whether it was taken, and what the hooks said. */
  readonly commit: (added?: string) => { readonly taken: boolean; readonly said: string }
}

const repositoryAt = (folder: string, env: Readonly<Record<string, string>>): Repository => {
  const options = { cwd: folder, env, encoding: 'utf8' as const }
  const run = (program: string, ...args: ReadonlyArray<string>): string =>
    execFileSync(program, args, { ...options, stdio: 'pipe' })
  mkdirSync(folder)
  run('git', 'init', '--quiet')
  return {
    write: (name, text) => writeFileSync(join(folder, name), text),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    run,
    commit: (added = '--all') => {
      run('git', 'add', added)
      const { status, stderr, stdout } = spawnSync('git', ['commit', '--message', 'Change it'], options)
      return { taken: status === 0, said: stdout + stderr }
    },
  }
}

/** Of one hook, as pre-commit words it. */
const resultOf = (said: string, hook: string): string =>
  new RegExp(`^${hook}\\.+(?:\\(no files to check\\))?(\\w+)$`, 'm').exec(said)?.[1] ?? said

const resultsIn = (said: string): ReadonlyArray<string> =>
  ['devtool validate', 'devtool goldens'].map((hook) => resultOf(said, hook))

const shop = (image: string): string => `name: shop\nservices:\n  web:\n    image: ${image}\n`
const update = ['deploy', '--dry-run', '--golden', 'manifests.yaml', '--update']

const test = suite<{ folder: string; shop: Repository; below: Repository }>('pre-commit')

test.before(async (world) => {
  const folder = mkdtempSync(join(tmpdir(), 'pre-commit-'))
  world.folder = folder
  mkdirSync(join(folder, 'bin'))
  symlinkSync(await hostSingle(), join(folder, 'bin/devtool'))
  const who = { GIT_AUTHOR_NAME: 'me', GIT_AUTHOR_EMAIL: 'me@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'me', GIT_COMMITTER_EMAIL: 'me@example.com' }
  const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder, ...who, ...committer }
  const hooks = repositoryAt(join(folder, 'hooks'), env)
  for (const name of ['.pre-commit-hooks.yaml', 'integrations'])
    cpSync(join(root, name), join(folder, 'hooks', name), { recursive: true })
  assert.ok(hooks.commit().taken)
  hooks.run('git', 'tag', 'v1')
  const [plain = '', below = ''] = blocksIn('docs/ci.md', 'pre-commit: the hooks').map(({ lines }) => lines.join('\n'))
  const guarded = (name: string, config: string): Repository => {
    const one = repositoryAt(join(folder, name), env)
    const own = config.replace('https://github.com/OWNER/devtool', join(folder, 'hooks')).replace('VERSION', 'v1')
    one.write('.pre-commit-config.yaml', `${own}\n`)
    one.run('pre-commit', 'install')
    return one
  }
  world.shop = guarded('shop', plain)
  world.below = guarded('below', plain.replace(/^ +hooks:[^]*/m, below))
  mkdirSync(join(folder, 'below/deploy'))
})
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

test('a commit of other files is none of their business', (world) => {
  world.shop.write('README.md', 'A shop\n')
  const { said, taken } = world.shop.commit()
  assert.equal(resultsIn(said), ['Skipped', 'Skipped'])
  assert.ok(taken, said)
})

test('a Compose file is not committed without its manifests', (world) => {
  world.shop.write('compose.yaml', shop('nginx:1'))
  const refused = world.shop.commit()
  assert.equal(resultsIn(refused.said), ['Passed', 'Failed'])
  assert.match(refused.said, 'DT2003')
  assert.not.ok(refused.taken)
  world.shop.run('devtool', ...update)
  const { said, taken } = world.shop.commit()
  assert.equal(resultsIn(said), ['Passed', 'Passed'])
  assert.ok(taken, said)
})

test('a change of the Compose file is committed with that of the manifests, and not before', (world) => {
  world.shop.write('compose.yaml', shop('nginx:2'))
  const refused = world.shop.commit()
  assert.equal(resultsIn(refused.said), ['Passed', 'Failed'])
  assert.match(refused.said, /^\+ +image: nginx:2 .*# from compose\.yaml:4$/m)
  assert.match(refused.said, `run: devtool ${update.join(' ')}`)
  assert.not.ok(refused.taken)
  world.shop.run('devtool', ...update)
  const { said, taken } = world.shop.commit()
  assert.equal(resultsIn(said), ['Passed', 'Passed'])
  assert.ok(taken, said)
})

test('manifests that were updated in the folder alone do not count', (world) => {
  world.shop.write('compose.yaml', shop('nginx:3'))
  world.shop.run('devtool', ...update)
  const { said, taken } = world.shop.commit('compose.yaml')
  assert.equal(resultsIn(said), ['Passed', 'Failed'])
  assert.not.ok(taken)
  assert.match(world.shop.read('manifests.yaml'), 'image: nginx:3')
  assert.ok(world.shop.commit().taken)
})

test('a Compose file with a mistake is not committed', (world) => {
  const before = world.shop.run('git', 'rev-parse', 'HEAD')
  world.shop.write('compose.yaml', shop('nginx:3').replace('image', 'imag'))
  const { said, taken } = world.shop.commit()
  assert.equal(resultsIn(said), ['Failed', 'Failed'])
  assert.match(said, 'error DT1004: services.web: unknown key "imag"')
  assert.not.ok(taken)
  assert.is(world.shop.run('git', 'rev-parse', 'HEAD'), before)
})

test('files in a folder are given as arguments', ({ below }) => {
  below.write('deploy/compose.yaml', shop('nginx:1'))
  below.run(
    'devtool',
    'deploy',
    '--dry-run',
    '-f',
    'deploy/compose.yaml',
    '--golden',
    'deploy/manifests.yaml',
    '--update',
  )
  const { said, taken } = below.commit()
  assert.equal(resultsIn(said), ['Passed', 'Passed'])
  assert.ok(taken, said)
  below.write('deploy/compose.yaml', shop('nginx:2'))
  const refused = below.commit()
  assert.equal(resultsIn(refused.said), ['Passed', 'Failed'])
  assert.match(refused.said, 'run: devtool deploy --dry-run --file deploy/compose.yaml --golden deploy/manifests.yaml')
  assert.not.ok(refused.taken)
})

test.run()
