/** The component as GitLab runs it: its inputs and variables expanded, its jobs chosen by their rules. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { root } from '../../scripts/command.ts'
import { type Env, runNoting, script, writeNotingDevtool } from '../support/cli/noting.ts'

const test = suite<{ folder: string }>('integrations-gitlab')
test.before((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'integrations-gitlab-'))
  writeNotingDevtool(world.folder)
})
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

type Rule = { readonly if: string; readonly exists?: ReadonlyArray<string>; readonly when?: string }
type Job = {
  readonly extends?: string
  readonly variables?: Env
  readonly rules?: ReadonlyArray<Rule>
  readonly script?: ReadonlyArray<string>
  readonly environment?: { readonly name: string; readonly on_stop?: string; readonly action?: string }
  readonly artifacts?: { readonly when: string; readonly reports: { readonly codequality: string } }
  readonly resource_group?: string
}
type Jobs = Readonly<Record<string, Job>>

const inputs = {
  image: 'registry.example.com/devtool:0.1.0',
  platform: 'https://devtool.example.com',
  namespace: 'shop',
  file: 'deploy/compose.yaml',
  golden: 'k8s',
}

/** The component with its inputs in their places, and each job with what it extends. */
const jobsWith = (given: Env): Jobs => {
  const text = readFileSync(join(root, 'integrations/gitlab/templates/devtool/template.yml'), 'utf8')
  const [head = '', body = ''] = text.split(/^---$/m)
  const declared: Readonly<Record<string, { readonly default?: string }>> = parse(head).spec.inputs
  const values: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(Object.entries(declared).map(([name, input]) => [name, input.default])),
    ...given,
  }
  const jobs: Jobs = parse(
    body.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => {
      assert.ok(name in declared, name)
      return values[name] ?? ''
    }),
  )
  const extended = (name: string): Job => {
    const job = jobs[name] ?? {}
    const base = job.extends === undefined ? {} : extended(job.extends)
    return { ...base, ...job, variables: { ...base.variables, ...job.variables } }
  }
  return Object.fromEntries(
    Object.keys(jobs)
      .filter((name) => !name.startsWith('.'))
      .map((name) => [name, extended(name)]),
  )
}

const expanded = (text: string, variables: Env): string =>
  text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced: string, name: string) => variables[braced ?? name] ?? '')

/** A condition of comparisons, `&&` and `||`. */
const holds = (condition: string, variables: Env): boolean => {
  const value = (word: string): string | undefined =>
    word.startsWith('$') ? variables[word.slice(1)] : word.replace(/^"(.*)"$/, '$1')
  return condition.split(' || ').some((all) =>
    all.split(' && ').every((comparison) => {
      const [left = '', right = '', ...more] = comparison.split(' == ')
      assert.equal(more, [])
      return value(left) === value(right)
    }),
  )
}

const project = {
  CI_PROJECT_ID: '12',
  CI_DEFAULT_BRANCH: 'main',
  CI_PROJECT_URL: 'https://gitlab.example.com/me/Shop',
  DEVTOOL_TOKEN: 'of the project',
}
const mergeRequest = {
  ...project,
  CI_PIPELINE_SOURCE: 'merge_request_event',
  CI_MERGE_REQUEST_IID: '7',
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '12',
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature/cart',
}
const branch = (name: string): Env => ({ ...project, CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: name })

/** Which jobs a pipeline has, in a repository with all files that a rule asks for, or with none. */
const chosen = (variables: Env, hasFiles = true): ReadonlyArray<string> =>
  Object.entries(jobsWith(inputs)).flatMap(([name, { rules = [] }]) => {
    const rule = rules.find((one) => holds(one.if, variables) && (one.exists === undefined || hasFiles))
    if (rule === undefined) return []
    return [rule.when === undefined ? name : `${name}, ${rule.when}`]
  })

/** The scripts of a job, with the variables that GitLab gives it. */
const runJob = (folder: string, name: string, predefined: Env, given: Env = inputs) => {
  const job = jobsWith(given)[name]
  const own = Object.entries(job?.variables ?? {}).map(([key, text]) => {
    assert.type(text, 'string', `${key}: GitLab refuses other types`)
    return [key, expanded(text, predefined)]
  })
  const [command = '', ...more] = job?.script ?? []
  assert.equal(more, [])
  const [program, task = ''] = command.split(' ')
  assert.is(program, 'devtool-ci')
  const environment = join(folder, 'environment')
  rmSync(environment, { force: true })
  const env = { ...predefined, ...Object.fromEntries(own), ENVIRONMENT: environment }
  const { calls, status, stderr } = runNoting(folder, [script, task], env)
  assert.is(status, 0, stderr)
  return { calls, environment: readFileSync(environment, 'utf8') }
}

test('merge requests and the default branch have their jobs, other pipelines none', () => {
  const previews = ['devtool-preview', 'devtool-destroy, manual']
  assert.equal(chosen(mergeRequest), ['devtool-goldens', ...previews])
  assert.equal(chosen(mergeRequest, false), previews)
  assert.equal(chosen({ ...mergeRequest, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '99' }), ['devtool-goldens'], 'of a fork')
  assert.equal(chosen(branch('feature/cart')), [])
  assert.equal(chosen({ ...project, CI_PIPELINE_SOURCE: 'push', CI_COMMIT_TAG: 'v1' }), [])
  assert.equal(chosen(branch('main')), ['devtool-goldens', 'devtool-deploy'])
})

test('goldens writes the report that GitLab takes, also for the branch to compare it with', ({ folder }) => {
  const job = jobsWith(inputs)['devtool-goldens']
  const report = job?.artifacts?.reports.codequality ?? ''
  assert.is(job?.artifacts?.when, 'always')
  assert.equal(job?.rules?.[0]?.exists, ['k8s', 'k8s/kustomization.yaml'])
  for (const pipeline of [mergeRequest, branch('main')]) {
    const { calls } = runJob(folder, 'devtool-goldens', pipeline)
    assert.is(calls, 'deploy|--dry-run|--file|deploy/compose.yaml|--golden|k8s|\n')
    assert.equal(JSON.parse(readFileSync(join(folder, report), 'utf8')), [])
    rmSync(join(folder, report))
  }
  const { file: _, golden: __, ...fewest } = inputs
  assert.is(
    runJob(folder, 'devtool-goldens', mergeRequest, fewest).calls,
    'deploy|--dry-run|--golden|manifests.yaml|\n',
  )
})

test('the default branch is deployed to its namespace of the platform', ({ folder }) => {
  const { calls, environment } = runJob(folder, 'devtool-deploy', branch('main'))
  assert.is(calls, 'deploy|--file|deploy/compose.yaml|--wait|--timeout|5m|--yes|\n')
  assert.match(environment, 'TOKEN=of the project ')
  assert.match(environment, 'NAMESPACE=shop CONTEXT=https://devtool.example.com\n')
})

test('a merge request has a preview of its branch, which its end destroys', ({ folder }) => {
  const address = 'https://gitlab.example.com/me/Shop'
  const preview = runJob(folder, 'devtool-preview', mergeRequest)
  const [deployed = '', endpoints] = preview.calls.split('\n')
  const [, name] = /^preview\|deploy\|(shop-\d+-mr-7)\|/.exec(deployed) ?? []
  assert.is(
    deployed,
    `preview|deploy|${name}|--branch|feature/cart|--repository|${address}.git|--sourceUrl|${address}/-/merge_requests/7|--file|deploy/compose.yaml|--wait|--timeout|5m|`,
  )
  assert.is(endpoints, `preview|endpoints|${name}|--output|json|`)
  const destroy = runJob(folder, 'devtool-destroy', mergeRequest)
  assert.is(destroy.calls, `preview|destroy|${name}|\n`)
  for (const { environment } of [preview, destroy])
    assert.match(environment, 'NAMESPACE=unset CONTEXT=https://devtool.example.com\n')
})

test('GitLab stops the environment of a preview with the job that destroys it, and never runs both at once', () => {
  const { 'devtool-destroy': destroy, 'devtool-preview': preview } = jobsWith(inputs)
  assert.is(preview?.environment?.on_stop, 'devtool-destroy')
  assert.equal(destroy?.environment, { name: preview?.environment?.name ?? '', action: 'stop' })
  assert.is(destroy?.rules?.[0]?.if, preview?.rules?.[0]?.if)
  assert.is(preview?.resource_group, 'preview-$CI_MERGE_REQUEST_IID')
  assert.is(destroy?.resource_group, preview?.resource_group)
})

test.run()
