/** What others copy from docs/ci.md, against the integrations that it names. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { root } from '../../scripts/command.ts'
import { composeNames } from '../../src/domain/compose/known-files.ts'
import { blocksIn } from '../support/cli/doc-commands.ts'

/** The first of the blocks of YAML below a heading of docs/ci.md. */
const copied = (heading: string, blocks = 1) => {
  const [{ lines } = { lines: [] }, ...more] = blocksIn('docs/ci.md', heading)
  assert.is(more.length, blocks - 1)
  return parse(lines.join('\n'))
}

type Inputs = Readonly<Record<string, { readonly default?: string }>>

/** Every input that is given exists, and every input that has to be given is. */
const takes = (inputs: Inputs, given: object): void => {
  assert.equal(
    Object.keys(given).filter((name) => inputs[name] === undefined),
    [],
  )
  for (const [name, input] of Object.entries(inputs)) assert.ok(input.default !== undefined || name in given, name)
}

test('the workflow to copy uses the action with inputs that it has', () => {
  const { inputs } = parse(readFileSync(join(root, 'integrations/github/action.yml'), 'utf8'))
  const { jobs, on } = copied('GitHub: the action')
  assert.ok(on.pull_request.types.includes('closed'), 'a preview is destroyed')
  const steps = Object.values<{ readonly steps: ReadonlyArray<{ readonly uses: string; readonly with?: object }> }>(
    jobs,
  )
    .flatMap((job) => job.steps)
    .filter(({ uses }) => uses.startsWith('OWNER/'))
  assert.is(steps.length, 3)
  for (const step of steps) {
    assert.ok(existsSync(join(root, step.uses.replace(/^OWNER\/devtool\/(.+)@VERSION$/, '$1/action.yml'))), step.uses)
    takes(inputs, step.with ?? {})
  }
  assert.match(jobs.preview.concurrency, 'github.event.number')
})

test('the component to include lies where GitLab looks for it, and has the inputs', () => {
  const file = join(root, 'integrations/gitlab/templates/devtool/template.yml')
  const [spec = ''] = readFileSync(file, 'utf8').split(/^---$/m)
  const [included, ...more] = copied('GitLab: the component').include
  assert.equal(more, [])
  const [, name = ''] = /^\$CI_SERVER_FQDN\/OWNER\/devtool\/(\w+)@VERSION$/.exec(included.component) ?? []
  assert.is(join(root, 'integrations/gitlab/templates', name, 'template.yml'), file)
  takes(parse(spec).spec.inputs, included.inputs)
})

test('the hooks to copy are those of this repository', () => {
  const ids = (hooks: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> => hooks.map(({ id }) => id)
  const [{ hooks }] = copied('pre-commit: the hooks', 2).repos
  assert.equal(ids(hooks), ids(parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8'))))
})

test('the pre-commit hooks run what exists, at commits of what they look at', () => {
  const hooks: ReadonlyArray<Record<'id' | 'language' | 'entry' | 'files', string>> = parse(
    readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8'),
  )
  assert.equal(
    hooks.map(({ id }) => id),
    ['devtool-validate', 'devtool-goldens'],
  )
  for (const { entry, files, id, language } of hooks) {
    if (language === 'script') assert.ok(existsSync(join(root, entry.split(' ')[0] ?? '')))
    for (const name of [...composeNames, 'devtool.yml', 'compose.prod.yaml', 'shop/compose.yaml', '.env'])
      assert.match(name, new RegExp(files), id)
    assert.equal(new RegExp(files).test('manifests.yaml'), id === 'devtool-goldens')
    for (const name of ['README.md', 'src/compose.ts', 'my.env']) assert.not.match(name, new RegExp(files), id)
  }
})

test.run()
