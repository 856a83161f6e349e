import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readExported } from '../../../src/domain/commands/exported.ts'
import { commandVariables } from '../../../src/domain/commands/variables.ts'

const facts = {
  shell: new Map([
    ['PATH', '/bin'],
    ['DEVTOOL_NAME', 'of the shell'],
    ['LEVEL', 'shell'],
  ]),
  environment: 'shop',
  namespace: 'demo',
  vars: new Map([['LEVEL', 'var']]),
  builds: [],
  dependencies: [],
}

test('variables of the environment take precedence over --var, and --var over the shell', () => {
  const variables = commandVariables({
    ...facts,
    domain: 'example.com',
    registry: 'r.example.com/me',
    commit: 'c0ffee',
    branch: 'main',
  })
  assert.equal(Object.fromEntries(variables), {
    PATH: '/bin',
    LEVEL: 'var',
    DEVTOOL_NAME: 'shop',
    DEVTOOL_NAMESPACE: 'demo',
    DEVTOOL_DOMAIN: 'example.com',
    DEVTOOL_REGISTRY: 'r.example.com/me',
    DEVTOOL_REGISTRY_URL: 'r.example.com/me',
    DEVTOOL_GIT_COMMIT: 'c0ffee',
    DEVTOOL_GIT_BRANCH: 'main',
    DEVTOOL_WITHIN_COMMAND: 'true',
  })
})

test('images are split into the parts that charts need', () => {
  const api = { name: 'my-api', registry: 'r.example.com', repository: 'me/api', tag: 'dev' }
  const digest = 'sha256:0123'
  const variables = commandVariables({
    ...facts,
    builds: [{ ...api, digest }],
    dependencies: [{ name: 'db', variables: new Map([['URL', 'postgres://db']]), builds: [{ ...api, registry: '' }] }],
  })
  const told = [...variables].filter(([name]) => /BUILD|DEPENDENCY/.test(name))
  assert.equal(Object.fromEntries(told), {
    DEVTOOL_BUILD_MY_API_IMAGE: 'r.example.com/me/api@sha256:0123',
    DEVTOOL_BUILD_MY_API_REGISTRY: 'r.example.com',
    DEVTOOL_BUILD_MY_API_REPOSITORY: 'me/api',
    DEVTOOL_BUILD_MY_API_TAG: 'sha256:0123',
    DEVTOOL_BUILD_MY_API_SHA: 'dev@sha256:0123',
    DEVTOOL_DEPENDENCY_DB_VARIABLE_URL: 'postgres://db',
    DEVTOOL_DEPENDENCY_DB_BUILD_MY_API_IMAGE: 'me/api:dev',
    DEVTOOL_DEPENDENCY_DB_BUILD_MY_API_REGISTRY: '',
    DEVTOOL_DEPENDENCY_DB_BUILD_MY_API_REPOSITORY: 'me/api',
    DEVTOOL_DEPENDENCY_DB_BUILD_MY_API_TAG: 'dev',
    DEVTOOL_DEPENDENCY_DB_BUILD_MY_API_SHA: 'dev',
  })
})

test('exported lines are read, and invalid ones are warnings', () => {
  const { findings, values } = readExported('A=1\nB="two words"\nthis is no line\nC=$A\n', 'migrate')
  assert.equal(
    [...values],
    [
      ['A', '1'],
      ['B', 'two words'],
      ['C', '$A'],
    ],
  )
  assert.equal(
    findings.map(({ at, code }) => [code, at?.file, at?.line]),
    [['DT3505', '$DEVTOOL_ENV', 3]],
  )
})

test.run()
