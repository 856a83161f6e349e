import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { defined } from '../../src/domain/object/defined.ts'
import { storedFolderText } from '../../src/domain/sync/stored-folder.ts'
import { answerIn, type StoredAnswer, statusText } from '../../src/domain/sync/stored-status.ts'
import type { Ports } from '../../src/ports/ports.ts'
import { memoryHome } from '../memory/home.ts'
import { devtool, worldOf } from '../support/cli/cli.ts'
import { keptAtMs, keptShop } from '../support/sync/kept-shop.ts'

const inShop = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${shop}/${name}`, text]))

const shop = '/home/me/shop'

test('sync kept lists the copies of this folder, newest first', async () => {
  const { stdout } = await devtool(['sync', 'kept', '-o', 'json'], { memory: keptShop() })
  const { kept }: { readonly kept: ReadonlyArray<Record<string, unknown>> } = JSON.parse(stdout)
  assert.equal(
    kept.map(({ name, when }) => [name, when]),
    [
      [`${keptAtMs + 1000}/src/main.ts`, '2026-11-22T20:00:01Z'],
      [`${keptAtMs}/old.ts`, '2026-11-22T20:00:00Z'],
      [`${keptAtMs - 60_000}/old.ts`, '2026-11-22T19:59:00Z'],
    ],
  )
})

test('sync kept shows names and sizes as a table, of one path if it is given', async () => {
  const { stdout } = await devtool(['sync', 'kept', 'src'], { memory: keptShop() })
  const [head, ...lines] = stdout.trimEnd().split('\n')
  assert.match(head ?? '', /^PATH +AGE +SIZE +CONTAINER +NAME$/)
  assert.is(lines.length, 1)
  assert.match(lines[0] ?? '', /^src\/main\.ts +\S+ +4 B +api +1\d{12}\/src\/main\.ts$/)
})

test('sync restore restores the newest copy of each missing file, and does not replace files with another content', async () => {
  const tree = new Map<string, string>()
  const { status, stderr } = await devtool(['sync', 'restore', '.'], { memory: keptShop(tree) })
  assert.is(status, 0)
  assert.is(tree.get(`${shop}/old.ts`), 'old')
  assert.is(tree.get(`${shop}/src/main.ts`), 'changed')
  assert.match(stderr, /old\.ts is restored\nsrc\/main\.ts has another content, and is left/)
})

test('sync restore takes the name of a copy', async () => {
  const tree = new Map<string, string>()
  await devtool(['sync', 'restore', `${keptAtMs - 60_000}/old.ts`], { memory: keptShop(tree) })
  assert.is(tree.get(`${shop}/old.ts`), 'older')
})

test('sync restore --overwrite keeps a copy of each file that it replaces', async () => {
  const [tree, before] = [new Map<string, string>(), Date.now()]
  const memory = keptShop(tree)
  const { status } = await devtool(['sync', 'restore', 'src/main.ts', '--overwrite'], { memory })
  assert.is(status, 0)
  assert.is(tree.get(`${shop}/src/main.ts`), 'main')
  const { ports } = worldOf({ memory })
  const newest = (await ports.keptFiles.list('/home/dev/.devtool/sync/1/kept')()).at(-1)
  assert.is(newest?.size, 'changed'.length)
  assert.ok((newest?.atMs ?? 0) >= before)
})

test('sync restore of a path without copies restores nothing', async () => {
  const tree = new Map<string, string>()
  const { status, stderr } = await devtool(['sync', 'restore', 'old.ts', 'nothing.ts'], { memory: keptShop(tree) })
  assert.is(status, 5)
  assert.match(stderr, /DT5136: no copy of nothing\.ts is kept/)
  assert.not.ok(tree.has(`${shop}/old.ts`))
})

test('sync conflicts names the file and the copy of the other change', async () => {
  const { stdout } = await devtool(['sync', 'conflicts'], { memory: keptShop() })
  assert.match(stdout, /src\/a\.ts +src\/a\.ts\.conflict-0a1b2c +api/)
})

const question = { id: '1', deleter: 'there', deleted: 30, files: 40 } as const

const asking = (
  home: Map<string, string>,
  key: string,
  questions: ReadonlyArray<typeof question> = [],
  answered?: StoredAnswer,
): void => {
  const [first] = questions
  const status = { percent: 25, troubles: [], conflicts: [] }
  home.set(`sync/${key}/status.json`, statusText({ ...status, ...defined({ question: first, answered }) }))
}

const folderOf = (dev: string): string =>
  storedFolderText({ dev, namespace: 'demo', context: 'test', local: `/home/me/shop/${dev}`, remote: `/${dev}` })

/** Takes the answer as `up` does. */
const taking = (home: Map<string, string>): Partial<Ports> => {
  const whole = memoryHome(home)
  const change: Ports['home']['change'] = (path, text) =>
    TE.map(() => asking(home, path.split('/')[1] ?? '', [], answerIn(home.get(path) ?? '')))(whole.change(path, text))
  return { home: { ...whole, change } }
}

for (const [name, answer, said] of [
  ['allow', 'Carry', 'deletes them here, too'],
  ['refuse', 'Restore', 'brings them back in the container'],
] as const) {
  test(`sync ${name} answers the only question`, async () => {
    const home = new Map([['sync/1/folder.json', folderOf('api')]])
    asking(home, '1', [question])
    const { status, stderr } = await devtool(['sync', name], { memory: { home, ports: taking(home) } })
    assert.is(status, 0)
    assert.is(stderr, `api: 30 of 40 files were deleted in the container, which may be a mistake: \`up\` ${said}\n`)
    assert.equal(JSON.parse(home.get('sync/1/answer.json') ?? ''), { question: '1', answer })
  })
}

test('of two questions, the one of the named container or folder is answered; without a name, none is', async () => {
  const home = new Map([
    ['sync/1/folder.json', folderOf('api')],
    ['sync/2/folder.json', folderOf('web')],
  ])
  const run = (...words: ReadonlyArray<string>) =>
    devtool(['sync', 'allow', ...words], { memory: { home, ports: taking(home) } })
  for (const word of ['web', '/web', 'web/']) {
    home.delete('sync/2/answer.json')
    asking(home, '1', [question])
    asking(home, '2', [question])
    const unnamed = await run()
    assert.is(unnamed.status, 2)
    assert.match(unnamed.stderr, /DT5141: 2 questions are open: api: \/home\/me\/shop\/api <-> \/api, web: /)
    assert.is((await run(word)).status, 0)
    assert.ok(home.has('sync/2/answer.json'))
    assert.not.ok(home.has('sync/1/answer.json'))
  }
  const other = await run('worker')
  assert.is(other.status, 5)
  assert.match(other.stderr, /DT5140: no question is open for worker\n.*open questions: api: /)
})

test('an answer without a question, or without a running `up`, is an error', async () => {
  const home = new Map([['sync/1/folder.json', folderOf('api')]])
  const run = () => devtool(['sync', 'refuse'], { memory: { home } })
  assert.match((await run()).stderr, /DT5140: no question is open\n.*no `devtool up` synchronises a folder here now/)
  asking(home, '1')
  const { status, stderr } = await run()
  assert.is(status, 5)
  assert.match(stderr, /DT5140: no question is open\n.*`devtool status` shows how the files are/)
  assert.not.ok(home.has('sync/1/answer.json'))
})

test('an answer that no `up` reads is an error', async () => {
  const home = new Map([['sync/1/folder.json', folderOf('api')]])
  asking(home, '1', [question])
  const { status, stderr } = await devtool(['sync', 'allow'], { memory: { home } })
  assert.is(status, 1)
  assert.match(stderr, /DT5142: the `devtool up` of api: .* did not take the answer: it did not answer within 10 s/)
  assert.is(home.get('sync/1/answer.json'), '{}\n')
})

for (const [what, then, why] of [
  ['ends', '{}', 'it has ended'],
  ['asks about more by now', { question: { ...question, id: '2', deleted: 31 } }, 'now 31 of 40 files were deleted'],
  ['does not ask any more', {}, 'it does not ask any more'],
  ['has nothing to ask about any more', { isSettled: true }, 'it does not ask any more'],
  ['was told otherwise', { answered: { question: '1', answer: 'Restore' } }, 'it was answered otherwise'],
] as const) {
  test(`an answer to an up that ${what} is an error`, async () => {
    const home = new Map([['sync/1/folder.json', folderOf('api')]])
    asking(home, '1', [question])
    const whole = memoryHome(home)
    const text = then === '{}' ? then : statusText({ percent: 1, troubles: [], conflicts: [], ...then })
    const change: Ports['home']['change'] = (path, given) =>
      TE.map(() => void home.set('sync/1/status.json', text))(whole.change(path, given))
    const { status, stderr } = await devtool(['sync', 'allow'], {
      memory: { home, ports: { home: { ...whole, change } } },
    })
    assert.is(status, 1)
    assert.match(stderr, `did not take the answer: ${why}`)
  })
}

test('sync explain names the line that excludes a path or a folder above it', async () => {
  const files = { '.devtoolignore': '# made here\n/dist/\n#include .gitignore\n', '.gitignore': '*.log\n' }
  const said = async (path: string): Promise<string> =>
    (await devtool(['sync', 'explain', path], { files: inShop(files), memory: keptShop() })).stdout
  assert.is(await said('dist/main.js'), 'dist/main.js is left out, since dist is (.devtoolignore:2: /dist/)\n')
  assert.is(await said('src/a.log'), 'src/a.log is left out (.gitignore:1: *.log)\n')
  assert.is(await said('src/main.ts'), 'src/main.ts is synchronised (no rule is about it)\n')
})

test('sync explain names what is mounted in the container below the folder', async () => {
  const folder = { dev: 'api', namespace: 'demo', context: 'test', local: '/home/me/shop', remote: '/app' }
  const home = new Map([['sync/1/folder.json', storedFolderText({ ...folder, others: ['data/db'] })]])
  const { stdout } = await devtool(['sync', 'explain', 'data/db/rows'], { memory: { home } })
  assert.is(
    stdout,
    'data/db/rows is left out, since data/db is (something else is mounted at data/db in the container)\n',
  )
})

test('sync explain lists what is excluded by default, whether or not the folder was synchronised', async () => {
  const { stdout } = await devtool(['sync', 'explain', 'node_modules/'])
  assert.is(stdout, 'node_modules is left out (devtool leaves out node_modules/)\n')
})

test('the name of a group of commands lists them, and an unknown subcommand is an error', async () => {
  const { status, stdout } = await devtool(['sync'])
  assert.is(status, 0)
  assert.match(stdout, /usage: devtool sync <command>[^]+ {2}sync kept +list files/)
  assert.is((await devtool(['help', 'sync'])).stdout, stdout)
  assert.is((await devtool(['sync', '--help'])).stdout, stdout)
  const unknown = await devtool(['sync', 'keept'])
  assert.is(unknown.status, 2)
  assert.match(unknown.stderr, /unknown command "sync keept"\n.*did you mean "sync kept"\?/)
})

test('a group of commands is completed like a command, and then its commands', async () => {
  assert.match((await devtool(['__complete', '--', 'sy'])).stdout, /^sync\n$/)
  assert.is(
    (await devtool(['__complete', '--', 'sync', ''])).stdout,
    'allow\nconflicts\nexplain\nkept\nrefuse\nrestore\n',
  )
})

test.run()
