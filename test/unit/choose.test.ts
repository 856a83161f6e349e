import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { candidates, chooseFiles, projectFolder } from '../../src/domain/compose/choose.ts'
import { gitFolder, originUrl, repositoryName } from '../../src/domain/text/git-config.ts'

type Options = { readonly given?: ReadonlyArray<string>; readonly listed?: string; readonly separator?: string }

const choose = (present: ReadonlyArray<string>, { given = [], listed, separator = ':' }: Options = {}): string => {
  const chosen = chooseFiles({
    given,
    listed,
    separator,
    isFile: (path) => present.includes(path),
    isFolder: (path) => present.some((other) => other.startsWith(`${path}/`)),
  })
  return E.isLeft(chosen) ? chosen.left.code : `${chosen.right.files.join(' ')} in ${chosen.right.folder}`
}

const order = [
  'devtool.yml',
  'devtool.yaml',
  '.devtool/devtool.yml',
  '.devtool/devtool.yaml',
  'devtool-compose.yml',
  'devtool-compose.yaml',
  'compose.yaml',
  'compose.yml',
  'docker-compose.yml',
  'docker-compose.yaml',
  '.devtool/devtool-compose.yml',
  '.devtool/devtool-compose.yaml',
  '.devtool/compose.yaml',
  '.devtool/compose.yml',
  '.devtool/docker-compose.yml',
  '.devtool/docker-compose.yaml',
]

for (const [index, file] of order.entries()) {
  test(`${file} is chosen before all files after it`, () => {
    assert.is(choose(order.slice(index)), `${file} in .`)
    assert.ok(candidates.includes(file))
  })
}

test('an override file is merged over the file of its name', () => {
  assert.is(
    choose(['compose.yaml', 'compose.override.yaml', 'docker-compose.override.yml']),
    'compose.yaml compose.override.yaml in .',
  )
  assert.is(choose(['compose.yaml', 'compose.override.yml']), 'compose.yaml compose.override.yml in .')
  assert.is(
    choose(['.devtool/docker-compose.yml', '.devtool/docker-compose.override.yml']),
    '.devtool/docker-compose.yml .devtool/docker-compose.override.yml in .',
  )
})

test('COMPOSE_FILE comes after a manifest and before all Compose files, without override files', () => {
  const present = ['compose.yaml', 'compose.override.yaml', 'a.yaml']
  assert.is(choose(present, { listed: 'x/a.yaml:b.yaml' }), 'x/a.yaml b.yaml in x')
  assert.is(choose(present, { listed: 'a.yaml;b.yaml', separator: ';' }), 'a.yaml b.yaml in .')
  assert.is(choose(present, { listed: '' }), 'compose.yaml compose.override.yaml in .')
  assert.is(choose(['devtool.yml', ...present], { listed: 'a.yaml' }), 'devtool.yml in .')
})

test('files named by flags are used as given', () => {
  assert.is(choose(['devtool.yml'], { given: ['./x/a.yaml', 'b.yaml'], listed: 'c.yaml' }), 'x/a.yaml b.yaml in x')
  assert.is(choose([], { given: ['-'] }), '- in .')
})

test('the project folder of a file in .devtool is its parent', () => {
  assert.is(projectFolder('.devtool/compose.yaml'), '.')
  assert.is(projectFolder('x/.devtool/compose.yaml'), 'x')
  assert.is(projectFolder('../compose.yaml'), '..')
  assert.is(projectFolder('/a/b/compose.yaml'), '/a/b')
})

test('a chart and plain manifests are found last, and deployed by commands', () => {
  assert.is(choose(['chart/Chart.yaml']), 'chart/Chart.yaml in .')
  assert.is(choose(['helm/charts/Chart.yaml', 'k8s/a.yaml']), 'helm/charts/Chart.yaml in .')
  assert.is(choose(['k8s/a.yaml']), 'k8s in .')
  assert.is(choose(['kubernetes/kustomization.yml']), 'kubernetes/kustomization.yml in .')
  assert.is(choose(['chart/Chart.yaml', 'compose.yaml']), 'compose.yaml in .')
  assert.is(choose(['README.md']), 'DT1042')
})

test('a guessed name comes from the URL of the remote origin', () => {
  const config =
    '[core]\n\tbare = false\n[remote "up"]\n\turl = https://x/other.git\n[remote "origin"]\n\turl = "https://example.com/team/shop.git" ; x\n'
  assert.is(originUrl(config), 'https://example.com/team/shop.git')
  assert.is(originUrl('[remote "origin"] url = a'), 'a')
  assert.is(originUrl('[core]\n'), undefined)
  for (const url of [
    'https://example.com/team/shop.git',
    'git@example.com:team/shop.git',
    'example:shop',
    '/srv/shop/',
    'C:\\git\\shop.git',
    'ssh://h:22/shop/.git',
    'https://h/shop.git?x#y',
  ]) {
    assert.is(repositoryName(url), 'shop', url)
  }
  assert.is(repositoryName('https://example.com'), undefined)
  assert.is(repositoryName(''), undefined)
  assert.is(gitFolder('gitdir: ../.git/modules/shop\n'), '../.git/modules/shop')
  assert.is(gitFolder('x'), undefined)
})

test.run()
