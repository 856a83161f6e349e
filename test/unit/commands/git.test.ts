/** Real git, with a server that asks for a password, and the environment of a hook. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemGit } from '../../../src/adapters/git/git.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import {
  withGitConfig,
  withoutOwnRepository,
  withoutRepository,
  withoutUserInfo,
} from '../../../src/domain/commands/git-variables.ts'
import { serveRepository } from '../../support/http/git-backend.ts'

type Context = { folder: string; server: Server; host: string; seen: string }
const test = suite<Context>('git')
const never = new AbortController().signal
const base = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' }
const gitWith = (env: Readonly<Record<string, string | undefined>>) => systemGit(env, systemClock)
const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
const git = (folder: string, ...args: ReadonlyArray<string>): string =>
  execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8', env: base })

/** What everybody on the machine can see of all programs that run. */
const commandLines = (): string =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .join('\n')

test.before((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'git-test-'))
  world.seen = ''
  const work = join(world.folder, 'work')
  mkdirSync(work)
  git(work, 'init', '--quiet', '--initial-branch=main')
  writeFileSync(join(work, 'compose.yaml'), 'services: {}\n')
  git(work, 'add', '.')
  git(work, 'commit', '--quiet', '-m', 'one')
  git(world.folder, 'clone', '--quiet', '--bare', work, join(world.folder, 'shop.git'))
  const expected = `Basic ${Buffer.from('me:p@ss/word').toString('base64')}`
  world.server = createServer((request, response) => {
    world.seen += commandLines()
    if (request.headers.authorization === expected) serveRepository(world.folder, request, response)
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="shop"' }).end()
  })
  return new Promise<void>((resolve) => {
    world.server.listen(0, '127.0.0.1', () => {
      const address = world.server.address()
      world.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
      resolve()
    })
  })
})
test.after(({ folder, server }) => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('user and password of a URL reach the server, but neither an argument nor the clone', async (world) => {
  const { host } = world
  const cloned = await gitWith(base).clone(`http://me:p%40ss%2Fword@${host}/shop.git`, undefined, never)()
  assert.ok(E.isRight(cloned), JSON.stringify(cloned))
  if (E.isLeft(cloned)) return
  const { folder, remove } = cloned.right
  assert.ok(existsSync(join(folder, 'compose.yaml')))
  assert.not.match(readFileSync(join(folder, '.git/config'), 'utf8'), 'word')
  assert.match(world.seen, `clone --quiet --depth 1 -- http://${host}/shop.git`)
  assert.not.match(world.seen, /p@ss|p%40ss/)
  await remove()
  assert.not.ok(existsSync(folder))
})

test('a wrong password is reported without it', async ({ host }) => {
  const cloned = await gitWith(base).clone(`http://me:wr0ng@${host}/shop.git`, undefined, never)()
  assert.ok(E.isLeft(cloned))
  assert.match(JSON.stringify(cloned), host)
  assert.not.match(JSON.stringify(cloned), /wr0ng|me:/)
})

test('the commit of a branch, a tag and the default branch are known without a clone', async ({ folder, host }) => {
  const repository = join(folder, 'tips')
  mkdirSync(repository)
  git(repository, 'init', '--quiet', '--initial-branch', 'trunk')
  git(repository, 'commit', '--quiet', '--allow-empty', '--message', 'one')
  const one = git(repository, 'rev-parse', 'HEAD').trim()
  git(repository, 'tag', '--annotate', 'v1', '--message', 'tag')
  git(repository, 'tag', 'v1-plain')
  git(repository, 'branch', 'next')
  git(repository, 'commit', '--quiet', '--allow-empty', '--message', 'two')
  const two = git(repository, 'rev-parse', 'HEAD').trim()
  const tip = (branch?: string) => gitWith(base).tip(`file://${repository}`, branch, never)()
  assert.equal(await tip(), E.right({ commit: two, branch: 'trunk' }))
  assert.equal(await tip('next'), E.right({ commit: one, branch: 'next' }))
  assert.equal(await tip('v1'), E.right({ commit: one }))
  assert.equal(await tip('v1-plain'), E.right({ commit: one }))
  assert.equal(await tip('nothing'), E.right({}))
  const refused = await gitWith(base).tip(`http://me:wr0ng@${host}/shop.git`, undefined, never)()
  assert.ok(E.isLeft(refused) && refused.left.code === 'DT3150')
  assert.not.match(JSON.stringify(refused), /wr0ng|me:/)
})

test('arguments never contain user info of a URL', () => {
  const env = new Map([
    ['GIT_CONFIG_COUNT', '1'],
    ['GIT_CONFIG_KEY_0', 'a.b'],
    ['GIT_CONFIG_VALUE_0', 'c'],
  ])
  const full = withoutUserInfo('https://me:s3cret@example.com/a/b.git', env)
  assert.is(full.address, 'https://example.com/a/b.git')
  assert.equal(
    ['COUNT', 'KEY_0', 'VALUE_0', 'KEY_1', 'VALUE_1', 'KEY_2'].map((name) => full.env.get(`GIT_CONFIG_${name}`)),
    ['3', 'a.b', 'c', 'credential.https://example.com.helper', '', 'credential.https://example.com.helper'],
  )
  assert.is(full.env.get('DEVTOOL_GIT_PASSWORD'), 's3cret')
  const user = withoutUserInfo('https://t0ken@example.com/a', new Map())
  assert.equal([user.address, user.env.get('GIT_CONFIG_VALUE_0')], ['https://example.com/a', 't0ken'])
  const others = ['git@example.com:a/b', 'ssh://git@example.com/a', '/a/b@c', 'https://example.com/a@b']
  assert.equal(
    others.map((address) => withoutUserInfo(address, new Map()).address),
    others,
  )
  assert.is(withoutUserInfo('ssh://git:s3cret@example.com/a', new Map()).address, 'ssh://git@example.com/a')
})

test('git does not start a program of the current folder, and the finding has the words of ssh', async ({ folder }) => {
  const project = join(folder, 'project')
  mkdirSync(project)
  const program = join(project, 'ssh')
  writeFileSync(program, `#!/bin/sh\necho taken >&2\nexit 1\n`, { mode: 0o755 })
  const from = process.cwd()
  process.chdir(project)
  const path = `:.:${project}/../none:${base.PATH}`
  const closed = 'ssh://git@127.0.0.1:1/shop.git'
  const cloned = await gitWith({ ...base, PATH: path }).clone(closed, undefined, never)()
  process.chdir(from)
  assert.ok(E.isLeft(cloned))
  if (E.isLeft(cloned)) assert.match(cloned.left.message, /^cannot clone ssh:\/\/127.0.0.1:1\/shop.git: ssh: /)
})

test('a finding says why git has failed, not what it always adds', async ({ folder }) => {
  const why = async (from: string, branch?: string): Promise<string> => {
    const cloned = await gitWith(base).clone(from, branch, never)()
    return E.isLeft(cloned) ? cloned.left.message : ''
  }
  const missing = join(folder, 'missing.git')
  assert.is(await why(missing), `cannot clone ${missing}: repository '${missing}' does not exist`)
  assert.is(
    await why(`file://${folder}/shop.git`, 'nope'),
    `cannot clone file://${folder}/shop.git: Remote branch nope not found in upstream origin`,
  )
})

test('Git variables of a hook do not redirect git to the repository of the hook', async ({ folder }) => {
  const work = join(folder, 'work')
  const other = join(folder, 'other')
  git(folder, 'init', '--quiet', '--initial-branch=side', other)
  const hook = { ...base, GIT_DIR: join(work, '.git'), GIT_INDEX_FILE: join(work, '.git/index'), GIT_WORK_TREE: work }
  const index = readFileSync(join(work, '.git/index'))
  const head = await gitWith(hook).head(other)
  assert.equal([head.branch, head.commit, head.gitFolder], ['side', undefined, join(other, '.git')])
  const cloned = await gitWith(hook).clone(work, undefined, never)()
  assert.ok(E.isRight(cloned))
  if (E.isRight(cloned)) await cloned.right.remove()
  assert.equal(readFileSync(join(work, '.git/index')), index)
  const listed = execFileSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' }).trim().split('\n')
  const kept = [...withoutRepository(new Map(listed.map((name) => [name, 'x']))).keys()]
  assert.equal(kept.toSorted(), ['GIT_CONFIG_COUNT', 'GIT_CONFIG_PARAMETERS'])
})

test('Git variables of a hook are removed from commands only if they name the repository of the folder', () => {
  const left = (env: Record<string, string>): ReadonlyArray<string> => [
    ...withoutOwnRepository(new Map(Object.entries({ ...env, A: 'b' })), '/src/shop', '/src/shop/.git').keys(),
  ]
  assert.equal(left({ GIT_DIR: '.git', GIT_INDEX_FILE: '.git/index' }), ['A'])
  assert.equal(left({ GIT_DIR: '/src/shop/.git', GIT_INDEX_FILE: '/src/shop/.git/next-index-1.lock' }), ['A'])
  assert.equal(left({ GIT_DIR: '/src/other/.git', GIT_INDEX_FILE: '/tmp/index' }), ['GIT_DIR', 'GIT_INDEX_FILE', 'A'])
  assert.equal(left({ GIT_WORK_TREE: '.' }), ['GIT_WORK_TREE', 'A'])
  assert.equal([...withGitConfig(new Map(), []).entries()], [['GIT_CONFIG_COUNT', '0']])
})

test('own Git settings are added after those of the environment, and an invalid count is left to git', () => {
  const withOne = (count: string) => [...withGitConfig(new Map([['GIT_CONFIG_COUNT', count]]), [['a.b', 'c']])]
  assert.equal(withOne('2'), [
    ['GIT_CONFIG_COUNT', '3'],
    ['GIT_CONFIG_KEY_2', 'a.b'],
    ['GIT_CONFIG_VALUE_2', 'c'],
  ])
  for (const count of ['many', '-1', '1.5', '1e3', '9'.repeat(40)]) {
    assert.equal(withOne(count), [['GIT_CONFIG_COUNT', count]])
  }
})

const headOf = (folder: string) => gitWith(base).head(folder)

test('The repository is that of the remote tracked by the branch, otherwise origin', async ({ folder }) => {
  const at = join(folder, 'remotes')
  mkdirSync(join(at, 'apps/api'), { recursive: true })
  git(at, 'init', '-q', '-b', 'main')
  assert.is((await headOf(at)).repository, undefined)
  git(at, 'remote', 'add', 'origin', 'https://me:secret@git.example.com/ann/shop.git')
  git(at, 'remote', 'add', 'upstream', 'git@git.example.com:acme/shop.git')
  git(at, 'commit', '-q', '--allow-empty', '-m', 'one')
  assert.is((await headOf(at)).repository, 'https://git.example.com/ann/shop.git')
  git(at, 'config', 'branch.main.remote', 'upstream')
  assert.is((await headOf(at)).repository, 'git@git.example.com:acme/shop.git')
  git(at, 'config', 'branch.main.remote', '.')
  assert.is((await headOf(at)).repository, 'https://git.example.com/ann/shop.git')
  git(at, 'checkout', '-q', '--detach')
  assert.is((await headOf(at)).repository, 'https://git.example.com/ann/shop.git')
})

test('The repository URL is that of git with its settings, and a remote without a URL is ignored', async ({
  folder,
}) => {
  const at = join(folder, 'replaced')
  git(folder, 'init', '-q', '-b', 'main', at)
  git(at, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
  assert.is((await headOf(at)).repository, undefined)
  git(at, 'config', 'remote.origin.url', 'work:acme/shop.git')
  git(at, 'config', 'url.https://me:secret@git.example.com/.insteadOf', 'work:')
  assert.is((await headOf(at)).repository, 'https://git.example.com/acme/shop.git')
  git(at, 'config', 'branch.main.remote', '--upload-pack=touch hacked')
  git(at, 'config', 'remote.--upload-pack=touch hacked.url', 'work:acme/other.git')
  assert.is((await headOf(at)).repository, 'https://git.example.com/acme/other.git')
})

test('A repository that git refuses is distinguished from a folder without one', async ({ folder }) => {
  const at = join(folder, 'refused')
  mkdirSync(join(at, 'api'), { recursive: true })
  git(at, 'init', '-q', '-b', 'main')
  git(at, 'remote', 'add', 'origin', 'https://git.example.com/acme/shop.git')
  const others = { ...base, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1', LC_ALL: 'de_DE.UTF-8' }
  const refusal = `detected dubious ownership in repository at '${at}'`
  assert.equal(await gitWith(others).head(join(at, 'api')), { refused: refusal })
  assert.is((await headOf(at)).refused, undefined)
  for (const outside of ['/', join(folder, 'gone')]) assert.equal(await gitWith(others).head(outside), {})
  assert.equal(await gitWith({ PATH: '/nonexistent' }).head(at), {})
  const stray = join(folder, 'stray')
  mkdirSync(stray)
  writeFileSync(join(stray, '.git'), 'gitdir: /gone/\u202e')
  assert.equal(await headOf(stray), { refused: 'not a git repository: /gone/\\u202e' })
})

test('A git that does not respond is distinguished from a folder without a repository', async ({ folder }) => {
  const programs = join(folder, 'programs')
  for (const made of [programs, join(folder, '.git')]) mkdirSync(made)
  writeFileSync(join(programs, 'git'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 })
  const env = { ...base, PATH: `${programs}:${base.PATH}` }
  const silent = systemGit(env, { timeout: () => AbortSignal.timeout(200) })
  assert.equal(await silent.head(folder), { refused: 'it did not answer within 5 seconds' })
})

test('The folder is given by its path in the repository, also in worktrees and through links', async ({ folder }) => {
  const at = join(folder, 'inside')
  mkdirSync(join(at, 'apps/api'), { recursive: true })
  git(at, 'init', '-q', '-b', 'main')
  writeFileSync(join(at, 'apps/api/compose.yaml'), 'services: {}')
  git(at, 'add', '.')
  git(at, 'commit', '-q', '-m', 'one')
  git(at, 'worktree', 'add', '-q', join(folder, 'tree'), '-b', 'other')
  symlinkSync(join(at, 'apps'), join(folder, 'linked'))
  const places = [at, join(at, 'apps/api'), join(folder, 'tree/apps/api'), join(folder, 'linked/api')]
  const heads = await Promise.all(places.map(headOf))
  assert.equal(
    heads.map((head) => head.folder),
    ['', 'apps/api', 'apps/api', 'apps/api'],
  )
  assert.is((await headOf('/')).folder, undefined)
})

test('A shallow clone has the repository, the folder and the commit of a whole one', async ({ folder }) => {
  const [from, shallow] = [join(folder, 'deep'), join(folder, 'shallow')]
  mkdirSync(join(from, 'apps/api'), { recursive: true })
  git(from, 'init', '-q', '-b', 'main')
  writeFileSync(join(from, 'apps/api/compose.yaml'), 'services: {}')
  git(from, 'add', '.')
  for (const message of ['one', 'two']) git(from, 'commit', '-q', '--allow-empty', '-m', message)
  git(folder, 'clone', '-q', '--depth', '1', `file://${from}`, shallow)
  assert.is(git(shallow, 'rev-list', '--count', 'HEAD').trim(), '1')
  for (const each of [from, shallow]) {
    git(each, 'remote', each === from ? 'add' : 'set-url', 'origin', 'https://git.example.com/acme/shop.git')
  }
  const [whole, part] = await Promise.all([from, shallow].map((each) => headOf(join(each, 'apps/api'))))
  assert.ok(whole?.commit !== undefined)
  for (const key of ['repository', 'folder', 'commit', 'branch'] as const) assert.is(part?.[key], whole?.[key], key)
})

test.run()
