/** Golden files in CI and before a commit, with the command itself. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { root } from '../../scripts/command.ts'
import { installedScript } from '../support/cli/installed.ts'

const scratch = mkdtempSync(join(tmpdir(), 'devtool-ci-goldens-'))
const bin = join(scratch, 'bin')
const compose = (image: string): string => `services:\n  web:\n    image: ${image}\n`

test.before(() => {
  mkdirSync(bin)
  writeFileSync(join(bin, 'devtool'), installedScript)
  chmodSync(join(bin, 'devtool'), 0o755)
})
test.after(() => rmSync(scratch, { recursive: true }))

/** Two checkouts of a project, whose folders have different names. */
const checkouts = (text: string): readonly [string, string] => {
  const made = ['one', 'two'].map((name) => {
    const folder = join(mkdtempSync(join(scratch, 'w')), name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'compose.yaml'), text)
    return folder
  })
  return [made[0] ?? '', made[1] ?? '']
}

const shell = (cwd: string, script: string, env: Readonly<Record<string, string>> = {}) => {
  const { status, stderr, stdout } = spawnSync('sh', ['-ec', script], {
    cwd,
    env: { ...env, HOME: scratch, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    encoding: 'utf8',
  })
  return { status, stdout, stderr, text: stdout + stderr }
}

const goldens = `'${join(root, 'integrations/ci/devtool-ci.sh')}' goldens`

/** The last command that a run names. */
const commandIn = (text: string): string => /run: (devtool .*)$/m.exec(text)?.[1] ?? ''

for (const [title, golden, env] of [
  ['a file', 'manifests.yaml', {}],
  ['a file with another name', 'k8s/it is.yaml', { DEVTOOL_GOLDEN: 'k8s/it is.yaml' }],
  ['a folder', 'k8s/', { DEVTOOL_GOLDEN: 'k8s/', DEVTOOL_PLATFORM: 'https://devtool.invalid' }],
] as const) {
  test(`${title} is written by the command of the message, and points to the line of the Compose file`, () => {
    const [folder, other] = checkouts(compose('nginx:1.29'))
    if (golden.startsWith('k8s/it')) for (const one of [folder, other]) mkdirSync(join(one, 'k8s'))
    const named = { ...env, DEVTOOL_NAME: 'shop' }
    const first = shell(folder, goldens, named)
    assert.is(first.status, golden === 'k8s/' ? 1 : 3, first.text)
    const update = commandIn(first.text)
    assert.match(update, / --golden .* --update$/)
    for (const one of [folder, other]) {
      const written = shell(one, update)
      assert.is(written.status, 0, written.text)
      assert.is(shell(one, goldens, named).status, 0)
    }
    writeFileSync(join(other, 'compose.yaml'), compose('nginx:1.31'))
    const { status, stdout, text } = shell(other, goldens, { ...named, GITHUB_ACTIONS: 'true' })
    assert.is(status, 1, text)
    assert.match(stdout, /^\+.*image: nginx:1\.31 # from compose\.yaml:3$/m)
    assert.match(stdout, '::error file=compose.yaml,line=3::')
    assert.is(shell(other, commandIn(text)).status, 0)
    assert.is(shell(other, goldens, named).status, 0)
  })
}

test('the action compares manifests of a pull request by the name in the file', () => {
  const [folder] = checkouts(`name: shop\n${compose('nginx:1.29')}`)
  const action = join(root, 'integrations/github')
  const { runs } = parse(readFileSync(join(action, 'action.yml'), 'utf8'))
  const more = { ACTION: 'synchronize', NUMBER: '7', GIVEN_NAMESPACE: 'of-deploys' }
  const event = { GITHUB_ACTION_PATH: action, TASK: 'goldens', ...more }
  assert.is(shell(folder, 'devtool deploy --dry-run --golden manifests.yaml --update').status, 0)
  const { status, text } = shell(folder, runs.steps.at(-1).run, event)
  assert.is(status, 0, text)
})

test('a name that would be another in the next checkout is refused', () => {
  const [folder] = checkouts(compose('nginx:1.29'))
  const { status, text } = shell(folder, goldens)
  assert.is(status, 2)
  assert.match(text, 'DT2002')
  assert.is(commandIn(text), '', 'the command would be refused, too')
  writeFileSync(join(folder, 'compose.yaml'), `name: shop\n${readFileSync(join(folder, 'compose.yaml'), 'utf8')}`)
  assert.is(shell(folder, commandIn(shell(folder, goldens).text)).status, 0)
  assert.is(shell(folder, goldens).status, 0)
})

test.run()
