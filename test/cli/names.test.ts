/** The name of the environment: who gives it, and where a wrong one is refused. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { devtool } from '../support/cli/cli.ts'

const web = 'services:\n  web:\n    image: nginx:1\n    ports: ["80:80"]\n  db:\n    image: postgres:16\n'
const named = `name: shop\n${web}`
const dry = ['deploy', '--dry-run', '--progress', 'quiet', '--namespace', 'demo', '--domain', 'example.com']

test('the name comes from --name, DEVTOOL_NAME, COMPOSE_PROJECT_NAME, the file, the repository, the folder', async () => {
  const git = { '/home/me/.git/config': '[remote "origin"]\n\turl = git@example.com:team/repo.git\n' }
  const nameOf = async (files: Record<string, string>, env = {}, args: ReadonlyArray<string> = []): Promise<unknown> =>
    JSON.parse((await devtool(['deploy', '--dry-run', '-o', 'json', ...args], { files, env })).stdout).environment
  const all = { ...git, 'compose.yaml': `name: file\n${web}` }
  const env = { DEVTOOL_NAME: 'variable', COMPOSE_PROJECT_NAME: 'compose' }
  assert.is(await nameOf(all, env, ['--name', 'flag']), 'flag')
  assert.is(await nameOf(all, env), 'variable')
  assert.is(await nameOf(all, { COMPOSE_PROJECT_NAME: 'compose' }), 'compose')
  assert.is(await nameOf(all), 'file')
  assert.is(await nameOf({ ...git, 'compose.yaml': web }), 'repo')
  assert.is(await nameOf({ 'compose.yaml': web }), 'shop')
})

test('a git worktree has the name of its repository', async () => {
  const files = {
    'compose.yaml': web,
    '/home/me/shop/.git': 'gitdir: /srv/main/.git/worktrees/shop\n',
    '/srv/main/.git/worktrees/shop/commondir': '../..\n',
    '/srv/main/.git/config': '[remote "origin"]\n\turl = https://example.com/main.git\n',
  }
  const { stdout } = await devtool(['deploy', '--dry-run', '-o', 'json'], { files })
  assert.is(JSON.parse(stdout).environment, 'main')
})

for (const [args, env, from, help] of [
  [['--name', 'Foo_Bar'], {}, '--name: "Foo_Bar"', 'for example foo-bar'],
  [['--name', 'my_app'], {}, '--name: "my_app"', 'for example my-app'],
  [['--name', ''], {}, '--name: ""', 'lower-case letters'],
  [[], { DEVTOOL_NAME: '8 B' }, 'DEVTOOL_NAME: "8 B"', 'for example s-8-b'],
  [['--var', 'DEVTOOL_NAME=a_b'], {}, 'DEVTOOL_NAME: "a_b"', 'for example a-b'],
  [[], { COMPOSE_PROJECT_NAME: 'My App' }, 'COMPOSE_PROJECT_NAME: "My App"', 'for example my-app'],
] as const) {
  test(`an invalid name from ${from} is an error that names its source`, async () => {
    const { status, stderr, stdout } = await devtool([...dry, ...args], { files: { 'compose.yaml': named }, env })
    assert.equal([status, stdout], [2, ''], stderr)
    assert.match(stderr, `DT2001: ${from}`)
    assert.match(stderr, help)
    assert.not.match(stderr, 'compose.yaml:')
  })
}

test('COMPOSE_PROJECT_NAME may be a name that only Compose accepts', async () => {
  const run = (files: Record<string, string>) =>
    devtool([...dry, '-o', 'json'], { files, env: { COMPOSE_PROJECT_NAME: 'my_app' } })
  const { status, stderr, stdout } = await run({ 'compose.yaml': named })
  assert.equal([status, JSON.parse(stdout).environment], [0, 'my-app'])
  const [warning] = stderr.split('\n')
  assert.equal([JSON.parse(warning ?? '').code, JSON.parse(warning ?? '').at], ['DT1103', undefined])
})

test('a name in the file is refused at its line, unless a flag gives another', async () => {
  const files = { 'compose.yaml': `name: My App\n${web}` }
  const { status, stderr } = await devtool(dry, { files })
  assert.is(status, 3)
  assert.match(stderr, 'compose.yaml:1:7')
  assert.is((await devtool([...dry, '--name', 'shop'], { files })).status, 0)
})

test.run()
