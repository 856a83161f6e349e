/** Dependencies of a manifest: other repositories, which are cloned and deployed into the same namespace. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compose, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'

const git = (folder: string, ...args: ReadonlyArray<string>): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    encoding: 'utf8',
  })

/** A repository on this machine with these files; its folder. */
const repository = (space: Space, name: string, files: Readonly<Record<string, string>>): string => {
  const folder = join(space.folder, name)
  mkdirSync(folder)
  git(folder, 'init', '-q', '-b', 'main')
  commit(folder, files)
  return folder
}

const commit = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'Change')
}

const database = (text: string): string => `
deploy:
  commands:
    - echo "ADDRESS=db:8080" >> "$DEVTOOL_ENV"
${compose({ db: page(text, 'ports: [8080]') })}`

const shop = (from: string): string => `
name: shop
dependencies:
  database:
    repository: ${from}
    wait: true
    variables: {MODE: small}
deploy:
  commands:
    - kubectl create configmap seen --from-literal=address=$DEVTOOL_DEPENDENCY_DATABASE_VARIABLE_ADDRESS
${compose({ web: page('web', 'ports: [8080]') })}`

const names = async (space: Space): Promise<ReadonlyArray<string>> =>
  (await space.list('Deployment')).map(({ metadata }) => metadata.name).toSorted()

const test = suite('dependencies')

await scenarios(test, [
  {
    title: 'a dependency is deployed first, not deployed again, and stays when the environment is destroyed',
    space: 'depends',
    run: async (space) => {
      const from = repository(space, 'database', { 'devtool.yml': database('one') })
      space.write('devtool.yml', shop(from))
      await space.must('deploy', '--wait', '--timeout', '10m')
      await space.serves('db', 'one')
      await space.serves('web', 'web')
      assert.equal((await space.get('ConfigMap', 'seen'))?.['data'], { address: 'db:8080' })
      const listed = JSON.parse((await space.must('list', '-o', 'json')).stdout)
      assert.equal(listed.environments.map(({ name }: { name: string }) => name).toSorted(), ['database', 'shop'])

      commit(from, { 'devtool.yml': database('two') })
      await space.remove('ConfigMap', 'seen')
      const again = await space.must('deploy', '--wait', '--timeout', '10m')
      assert.match(again.stderr, 'already deployed, from branch main')
      await space.serves('db', 'one')

      await space.remove('ConfigMap', 'seen')
      await space.must('deploy', '--dependencies', '--wait', '--timeout', '10m')
      await space.serves('db', 'two')

      const destroyed = await space.must('destroy', '--wait', '--timeout', '10m')
      assert.match(shown(destroyed), 'database')
      assert.equal(await names(space), ['db'])
    },
  },
  {
    title: 'destroy --dependencies destroys dependencies after their dependents, and keeps those that others need',
    space: 'along',
    run: async (space) => {
      const from = repository(space, 'database', { 'devtool.yml': database('one') })
      const file = space.write('shop/devtool.yml', shop(from))
      const other = space.write(
        'other/devtool.yml',
        shop(from).replace('name: shop', 'name: other').replace(/web/g, 'admin'),
      )
      await space.must('deploy', '--file', file, '--timeout', '10m')
      await space.remove('ConfigMap', 'seen')
      await space.must('deploy', '--file', other, '--timeout', '10m')

      const first = await space.must('destroy', '--file', file, '--dependencies', '--wait', '--timeout', '10m')
      assert.match(first.stderr, 'DT3181: the dependencies of "shop" are kept, since others may need them: database')
      assert.equal(await names(space), ['admin', 'db'])

      const last = await space.must('destroy', '--file', other, '--dependencies', '--wait', '--timeout', '10m')
      assert.match(last.stderr, /destroyed environment other.*destroyed environment database/s)
      assert.equal(await names(space), [])
      const { environments } = JSON.parse((await space.must('list', '-o', 'json')).stdout)
      assert.equal(environments, [])
    },
  },
  {
    title: 'an environment of another repository is not used as the dependency, and nothing is deployed',
    space: 'others',
    run: async (space) => {
      const other = repository(space, 'other', { 'devtool.yml': database('other') })
      const from = repository(space, 'database', { 'devtool.yml': database('own') })
      const first = space.write(
        'devtool.yml',
        `name: first\ndependencies: {database: {repository: ${other}, wait: true}}\n`,
      )
      await space.must('deploy', '--file', first, '--timeout', '10m')
      const refused = await space.run('deploy', '--file', space.write('shop.yml', shop(from)), '--timeout', '10m')
      assert.is(refused.status, 7, shown(refused))
      assert.match(refused.stderr, 'DT3153')
      await space.serves('db', 'other')
      assert.is(await space.get('Deployment', 'web'), undefined)
    },
  },
  {
    title: 'a dependency that fails ends the deploy before anything of the environment is created',
    space: 'broken',
    run: async (space) => {
      const from = repository(space, 'database', { 'devtool.yml': 'deploy: [exit 3]\n' })
      space.write('devtool.yml', shop(from))
      const failed = await space.run('deploy', '--timeout', '5m')
      assert.is(failed.status, 1, shown(failed))
      assert.match(failed.stderr, 'the dependency "database" could not be deployed')
      assert.is(await space.get('Deployment', 'web'), undefined)
    },
  },
])

test.run()
