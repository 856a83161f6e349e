/** Whose environment a name is: one table of sources, and what deploy and destroy do about each. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type EnvironmentSource,
  judgeDeploy,
  judgeDestroy,
  matchSources,
  type SourceClaim,
  type SourceMatch,
  type SourceVerdict,
  sourceText,
} from '../../../src/domain/environment/source.ts'
import { repositoryIdentity } from '../../../src/domain/text/public-url.ts'

const shop = 'git.example.com/acme/shop'
/** A clone of `address`, and the folder of its first file. */
const cloned = (address: string, folder = ''): EnvironmentSource => ({
  files: ['compose.yaml'],
  repository: repositoryIdentity(address),
  folder,
})
const inShop = (folder: string): EnvironmentSource => ({ files: ['compose.yaml'], repository: shop, folder })
const onDisk = (folder: string, machine = 'desk'): EnvironmentSource => ({ files: ['compose.yaml'], folder, machine })
const claim = (source: EnvironmentSource, ...services: ReadonlyArray<string>): SourceClaim => ({ source, services })

type Case = readonly [what: string, recorded: SourceClaim, own: SourceClaim, match: SourceMatch]

const cases: ReadonlyArray<Case> = [
  ['another checkout of the repository', claim(inShop(''), 'web'), claim(inShop(''), 'web'), 'Same'],
  ['another commit with other services', claim(inShop(''), 'web'), claim(inShop(''), 'site'), 'Same'],
  ['an SSH clone', claim(inShop(''), 'web'), claim(cloned('git@git.example.com:acme/shop.git'), 'site'), 'Same'],
  [
    'an SSH clone by another port and user',
    claim(inShop(''), 'web'),
    claim(cloned('ssh://deploy@Git.example.com:2222/acme/shop.git/'), 'site'),
    'Same',
  ],
  [
    'an HTTPS clone with credentials',
    claim(inShop(''), 'web'),
    claim(cloned('https://ci:t0ken@git.example.com/acme/shop.git?depth=1'), 'site'),
    'Same',
  ],
  ['a shallow clone', claim(inShop(''), 'web'), claim({ ...inShop(''), commit: 'abc' }, 'site'), 'Same'],
  [
    'a worktree on another branch',
    claim({ ...inShop(''), branch: 'main' }, 'a'),
    claim({ ...inShop(''), branch: 'b' }),
    'Same',
  ],
  [
    'CI that checks out one repository into changing folders',
    claim({ ...inShop('api'), commit: 'abc' }, 'web'),
    claim({ ...inShop('api'), commit: 'def' }, 'site'),
    'Same',
  ],
  [
    'folders called backend of two repositories',
    claim(cloned('https://git.example.com/acme/a', 'backend'), 'api'),
    claim(cloned('https://git.example.com/acme/b', 'backend'), 'worker'),
    'Foreign',
  ],
  [
    'two folders of one repository with web and db in both',
    claim(inShop('a'), 'web', 'db'),
    claim(inShop('b'), 'web', 'db'),
    'Moved',
  ],
  [
    'two repositories with one name, with web and db in both',
    claim(inShop(''), 'web', 'db'),
    claim(cloned('git@git.example.com:acme/blog.git'), 'web', 'db', 'ghost'),
    'Moved',
  ],
  ['a record without a source', claim({}, 'web'), claim(inShop(''), 'site'), 'Same'],
  ['two folders of one repository', claim(inShop('a/backend'), 'a'), claim(inShop('b/backend'), 'b'), 'Foreign'],
  ['a folder that was moved', claim(inShop('api'), 'web', 'db'), claim(inShop('src/api'), 'web', 'db'), 'Moved'],
  [
    'two repositories with one name',
    claim(inShop(''), 'web', 'db'),
    claim({ ...inShop(''), repository: 'git.example.com/acme/blog' }, 'ghost'),
    'Foreign',
  ],
  [
    'a fork, or a repository with a new name',
    claim(inShop(''), 'web', 'db'),
    claim({ ...inShop(''), repository: 'git.example.com/ann/shop' }, 'web', 'db', 'cache'),
    'Moved',
  ],
  [
    'the same folder on the same machine',
    claim(onDisk('/home/ann/shop'), 'a'),
    claim(onDisk('/home/ann/shop')),
    'Same',
  ],
  ['the same folder on another machine', claim(onDisk('/app'), 'web'), claim(onDisk('/app', 'ci'), 'site'), 'Foreign'],
  ['two folders of one name', claim(onDisk('/a/backend'), 'a'), claim(onDisk('/b/backend'), 'b'), 'Foreign'],
  ['CI that unpacks a tarball anywhere', claim(onDisk('/build/1'), 'web'), claim(onDisk('/build/2'), 'web'), 'Moved'],
  ['a project that became a repository', claim(onDisk('/home/ann/shop'), 'web'), claim(inShop(''), 'web'), 'Moved'],
  ['a tarball of a repository', claim(inShop(''), 'web', 'db'), claim(onDisk('/tmp/shop'), 'web', 'db'), 'Moved'],
  ['an empty folder', claim(inShop(''), 'web'), claim(onDisk('/tmp/shop')), 'Foreign'],
  ['exactly half of the services', claim(inShop('a'), 'web', 'db'), claim(inShop('b'), 'web'), 'Moved'],
  ['less than half of the services', claim(inShop('a'), 'web', 'db', 'cache'), claim(inShop('b'), 'web'), 'Foreign'],
  ['an environment without services, from elsewhere', claim(inShop('a')), claim(inShop('b'), 'web'), 'Foreign'],
]

for (const [what, recorded, own, match] of cases) {
  test(`${what}: ${match}`, () => {
    assert.is(matchSources(recorded, own), match)
  })
}

const question = {
  environment: 'shop',
  namespace: 'demo',
  isSaid: false,
  isGuessed: false,
  takesOver: false,
  isPartial: false,
}
const theirs = claim(inShop('a'), 'web', 'db')
const other = claim(onDisk('/home/ann/shop'), 'site')
const moved = claim(inShop('b'), 'web', 'db')

const outcome = (verdict: SourceVerdict): string => {
  switch (verdict._tag) {
    case 'Proceed':
      return ['go on', ...verdict.findings.map(({ code, severity }) => `${severity} ${code}`)].join(', ')
    case 'Refuse':
      return verdict.why.code
    case 'Ask':
      return `ask, ${verdict.flag}`
  }
}

type Change = Partial<typeof question>

const verdicts: ReadonlyArray<readonly [string, SourceClaim | undefined, SourceClaim, Change, string, string]> = [
  ['a new name', undefined, other, {}, 'go on', 'go on'],
  ['the same source', theirs, theirs, {}, 'go on', 'go on'],
  ['a moved source', theirs, moved, {}, 'go on, warning DT3115', 'go on, warning DT3115'],
  ['a moved source and a name that is said', theirs, moved, { isSaid: true }, 'go on', 'go on'],
  ['another source', theirs, other, {}, 'DT3114', 'DT3114'],
  ['another source under a guessed name', theirs, other, { isGuessed: true }, 'DT3114', 'ask, --name shop'],
  [
    'web and db in both, under a guessed name',
    theirs,
    moved,
    { isGuessed: true },
    'go on, warning DT3115',
    'ask, --name shop',
  ],
  ['an empty folder', theirs, claim(onDisk('/tmp/shop')), {}, 'DT3114', 'DT3114'],
  [
    'an empty folder, whose name is guessed',
    theirs,
    claim(onDisk('/tmp/shop')),
    { isGuessed: true },
    'DT3114',
    'ask, --name shop',
  ],
  ['an empty folder of the repository', theirs, claim(inShop('a')), { isGuessed: true }, 'ask, --take-over', 'go on'],
  [
    'some of the services, from elsewhere',
    theirs,
    claim(inShop('b'), 'web'),
    {},
    'go on, warning DT3115',
    'ask, --name shop',
  ],
  ['another source and --take-over', theirs, other, { takesOver: true }, 'go on', 'go on'],
  ['another source and a name that is said', theirs, other, { isSaid: true }, 'ask, --take-over', 'go on'],
  ['no service is left', theirs, claim(inShop('a'), 'site'), {}, 'ask, --take-over', 'go on'],
  ['no service is left and --take-over', theirs, claim(inShop('a'), 'site'), { takesOver: true }, 'go on', 'go on'],
  ['some other services only', theirs, claim(inShop('a'), 'site'), { isPartial: true }, 'go on', 'go on'],
]

for (const [what, recorded, own, change, deploys, destroys] of verdicts) {
  test(`${what}: deploy and destroy`, () => {
    const asked = { ...question, ...change, recorded, own }
    assert.equal([outcome(judgeDeploy(asked)), outcome(judgeDestroy(asked))], [deploys, destroys])
  })
}

test('The error names both sources and the ways to continue', () => {
  const verdict = judgeDeploy({ ...question, recorded: theirs, own: other })
  assert.ok(verdict._tag === 'Refuse')
  const { help = '', message } = verdict.why
  assert.is(
    message,
    'the environment "shop" in namespace demo belongs to git.example.com/acme/shop (folder a), not to /home/ann/shop on desk',
  )
  assert.match(help, '--name NEW')
  assert.match(help, '--take-over')
})

test('For a folder inside a repository, the help suggests a name in its file', () => {
  const own = claim(inShop('b/backend'), 'site')
  const verdict = judgeDeploy({ ...question, recorded: theirs, own, isGuessed: true })
  assert.ok(verdict._tag === 'Refuse')
  assert.match(verdict.why.help ?? '', 'write `name:`')
})

test('Control characters of a recorded source are made visible', () => {
  assert.not.match(sourceText({ repository: 'a/\u001b[31mb', folder: 'c\u001b]0;x' }), '\u001b')
})

test('A question names at most five services', () => {
  const recorded = claim(inShop(''), ...Array.from({ length: 8 }, (_, index) => `s${index}`))
  const verdict = judgeDeploy({ ...question, recorded, own: claim(inShop(''), 'site') })
  assert.ok(verdict._tag === 'Ask')
  assert.match(verdict.text, '(s0, s1, s2, s3, s4 and 3 more)')
})

test.run()
