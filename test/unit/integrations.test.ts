/** What CI systems run, against a devtool that only notes how it was called. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { root } from '../../scripts/command.ts'
import { type Env, runNoting as run, script, writeNotingDevtool } from '../support/cli/noting.ts'

const test = suite<{ folder: string }>('integrations')
test.before((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'integrations-'))
  writeNotingDevtool(world.folder)
})
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

/** As GitLab reads it. */
type Issue = Readonly<Record<'check_name' | 'description' | 'fingerprint' | 'severity', string>> & {
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } }
}

/** The last step of the action, as GitHub runs it; what it would put into the variables is given. */
const runAction = (folder: string, env: Env) => {
  const { runs } = parse(readFileSync(join(root, 'integrations/github/action.yml'), 'utf8'))
  const step = runs.steps.at(-1)
  assert.not.match(step.run, '${{', 'what anybody can choose comes in through variables only')
  return run(folder, ['-e', '-c', step.run], { GITHUB_ACTION_PATH: join(root, 'integrations/github'), ...env })
}

/** What GitHub makes of the expressions of the action: those without a value are empty. */
const given = (values: Env): Env => {
  const { runs } = parse(readFileSync(join(root, 'integrations/github/action.yml'), 'utf8'))
  const names = Object.keys(runs.steps.at(-1).env)
  assert.equal(
    Object.keys(values).filter((name) => !names.includes(name)),
    [],
  )
  return { ...Object.fromEntries(names.map((name) => [name, ''])), ...values }
}

const repository = { TASK: 'auto', GIVEN_REPOSITORY: 'https://git.example.com/me/shop' }
const pullRequest = {
  ...repository,
  NUMBER: '7',
  GIVEN_PLATFORM: 'https://dev.example.com',
  GIVEN_BRANCH: 'a branch; $(reboot)',
  GIVEN_SOURCE_URL: 'https://git.example.com/me/shop/pull/7',
}

const NAME = 'shop-6892-pr-7'

test('an open pull request has a preview, whose addresses are an output', ({ folder }) => {
  const answer = join(folder, 'answer')
  writeFileSync(answer, '{\n"endpoints": []\n}\n')
  const { calls, outputs, status } = runAction(folder, {
    ...given({ ...pullRequest, ACTION: 'synchronize' }),
    ANSWER: answer,
  })
  assert.is(status, 0)
  assert.equal(calls.split('\n').slice(0, 2), [
    `preview|deploy|${NAME}|--branch|a branch; $(reboot)|--repository|https://git.example.com/me/shop|--sourceUrl|${pullRequest.GIVEN_SOURCE_URL}|--wait|--timeout|5m|`,
    `preview|endpoints|${NAME}|--output|json|`,
  ])
  assert.is(outputs, `name=${NAME}\nendpoints={"endpoints": []}\n`)
})

test('its preview is destroyed when it is closed', ({ folder }) => {
  const { calls, status } = runAction(folder, given({ ...pullRequest, ACTION: 'closed' }))
  assert.is(status, 0)
  assert.is(calls, `preview|destroy|${NAME}|\n`)
})

test('another event has to say what to do', ({ folder }) => {
  const { calls, status, stdout } = runAction(folder, given(repository))
  assert.equal([calls, status], ['', 2])
  assert.match(stdout, '::error::task auto is for pull requests')
  const preview = runAction(folder, given({ ...repository, TASK: 'preview' }))
  assert.is(preview.calls, '')
  assert.match(preview.stderr, 'DEVTOOL_PREVIEW: tells a preview from others')
})

test('inputs become variables, and leave those of the job as they are if they are not given', ({ folder }) => {
  const environment = join(folder, 'environment')
  const show = (values: Env, job: Env): string => {
    const { status, stderr } = runAction(folder, {
      ...given({ TASK: 'deploy', ...values }),
      ...job,
      ENVIRONMENT: environment,
    })
    assert.is(status, 0, stderr)
    return readFileSync(environment, 'utf8')
  }
  const job = { DEVTOOL_TOKEN: 'of the job', DEVTOOL_GOLDEN: 'k8s', DEVTOOL_TIMEOUT: '9m' }
  assert.is(show({}, job), 'TOKEN=of the job GOLDEN=k8s TIMEOUT=9m NAMESPACE=unset CONTEXT=unset\n')
  const inputs = { GIVEN_TOKEN: "it's; $(new)", GIVEN_NAMESPACE: 'shop', GIVEN_PLATFORM: 'https://dev.example.com' }
  assert.is(
    show(inputs, job),
    "TOKEN=it's; $(new) GOLDEN=k8s TIMEOUT=9m NAMESPACE=shop CONTEXT=https://dev.example.com\n",
  )
})

test('a deploy waits, and asks nothing', ({ folder }) => {
  const { calls } = run(folder, [script, 'deploy'], { DEVTOOL_FILE: 'my compose.yaml', DEVTOOL_TIMEOUT: '9m' })
  assert.is(calls, 'deploy|--file|my compose.yaml|--wait|--timeout|9m|--yes|\n')
})

/** What devtool says of a golden file: two changes of one Compose line, one without a line, and what only looks like a file. */
const difference = `--- k8s/"a, b".yaml
+++ now
@@ -1,3 +1,4 @@
 a
-b
+B # from compose.yaml:3
+x
 c
@@ -10,4 +11,4 @@
 d
-e
+E # from compose.yaml:3
 f
---- g
+++ G
--- other.yaml
+++ now
@@ -0,0 +1 @@
+new
`

test('differences are reported at the lines of the Compose file behind them, or else of the golden file', ({
  folder,
}) => {
  const golden = 'k8s/"a, b".yaml'
  const [answer, report] = [join(folder, 'difference'), join(folder, 'report.json')]
  const settings = { ANSWER: answer, DEVTOOL_GOLDEN: golden, DEVTOOL_CODEQUALITY: report, DEVTOOL_NAME: 'shop' }
  writeFileSync(answer, difference)
  const { calls, status, stderr, stdout } = run(folder, [script, 'goldens'], {
    ...settings,
    STATUS: '1',
    GITHUB_ACTIONS: 'true',
  })
  assert.is(status, 1)
  assert.is(calls, `deploy|--dry-run|--golden|${golden}|\n`)
  const update = `devtool deploy --dry-run --name shop --golden '${golden}' --update`
  assert.match(stderr, update)
  const places = [...stdout.matchAll(/^::error file=(.*),line=(\d+)::.*$/gm)].map(([line, file, number]) => {
    assert.match(line, update)
    return `${file} ${number}`
  })
  assert.equal(places, ['compose.yaml 3', 'k8s/"a%2C b".yaml 13', 'other.yaml 1'])
  const issues: ReadonlyArray<Issue> = JSON.parse(readFileSync(report, 'utf8'))
  assert.equal(
    issues.map(({ location: { lines, path } }) => `${path} ${lines.begin}`),
    ['compose.yaml 3', `${golden} 13`, 'other.yaml 1'],
  )
  for (const { check_name, description, fingerprint, severity } of issues) {
    assert.equal([check_name, severity], ['devtool-goldens', 'major'])
    assert.match(description, update)
    assert.match(fingerprint, /^devtool-goldens-\d+-\d+$/)
  }
  assert.is(new Set(issues.map(({ fingerprint }) => fingerprint)).size, 3)
  assert.not.match(run(folder, [script, 'goldens'], { ...settings, STATUS: '1' }).stdout, '::error')
  assert.is(run(folder, [script, 'goldens'], { ...settings, ANSWER: '' }).status, 0)
  assert.equal(JSON.parse(readFileSync(report, 'utf8')), [])
})

test('a golden file that does not exist is reported by its name', ({ folder }) => {
  const env = { STATUS: '3', DEVTOOL_GOLDEN: '100%, no.yaml', GITHUB_ACTIONS: 'true' }
  const absent = run(folder, [script, 'goldens'], { ...env, SAID: 'error DT2003: the golden file does not exist' })
  assert.is(absent.status, 3)
  assert.match(absent.stdout, '::error file=100%25%2C no.yaml,line=1::')
  const broken = run(folder, [script, 'goldens'], { ...env, SAID: 'error DT1004: unknown key "imag"' })
  assert.equal([broken.status, broken.stdout], [3, ''])
  assert.is(broken.stderr, 'error DT1004: unknown key "imag"\n')
})

test('an installation that cannot be downloaded fails the action', ({ folder }) => {
  const { runs } = parse(readFileSync(join(root, 'integrations/github/action.yml'), 'utf8'))
  const [{ run: installation }] = runs.steps
  const paths = { RUNNER_TEMP: folder, HOME: folder, GITHUB_PATH: join(folder, 'path') }
  const install = (name: string) =>
    run(folder, ['-e', '-c', installation], { ...paths, INSTALL_URL: `file://${join(folder, name)}` })
  writeFileSync(join(folder, 'good.sh'), 'echo installed\n')
  assert.equal(
    [install('good.sh').stdout, readFileSync(paths.GITHUB_PATH, 'utf8')],
    ['installed\n', `${folder}/.local/bin\n`],
  )
  assert.is.not(install('missing.sh').status, 0)
})

test('an unknown task is refused before anything runs', ({ folder }) => {
  const { calls, status, stderr } = run(folder, [script, 'nosuch'])
  assert.equal([status, calls], [2, ''])
  assert.match(stderr, 'usage: devtool-ci.sh deploy|preview|destroy|goldens')
})

test.run()
