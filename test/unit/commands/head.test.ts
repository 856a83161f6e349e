/** What a deploy asks git about the folder of its manifest. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryCommands } from '../../memory/commands.ts'
import { devtool } from '../../support/cli/cli.ts'
import { noGit } from '../../support/cluster/memory-ports.ts'

test('a deploy with commands runs git once to find what is checked out', async () => {
  const asked: Array<string> = []
  const git = {
    ...noGit,
    head: (folder: string) => {
      asked.push(folder)
      return Promise.resolve({ branch: 'main', commit: '0123456789' })
    },
  }
  const files = {
    'compose.yaml': 'services:\n  web:\n    image: nginx:1\n',
    'devtool.yaml': 'deploy:\n  compose: compose.yaml\n  commands:\n    - echo one\n    - echo two\n',
  }
  const ran = await devtool(['deploy', '-f', 'devtool.yaml', '--no-wait', '--yes'], {
    files,
    memory: { ports: { git, commands: memoryCommands(new Map([['*', {}]])) } },
  })
  assert.is(ran.status, 0, ran.stderr)
  assert.equal(asked, ['/home/me/shop'])
})

test('deploy and destroy warn about a repository that git refuses, which ends a deploy with --strict', async () => {
  const git = { ...noGit, head: () => Promise.resolve({ refused: 'it did not answer within 5 seconds' }) }
  const files = { 'compose.yaml': 'name: shop\nservices:\n  web:\n    image: nginx:1\n' }
  const run = (...argv: ReadonlyArray<string>) => devtool(argv, { files, memory: { ports: { git } } })
  const said = 'DT3117: git says nothing about /home/me/shop: it did not answer within 5 seconds'
  const [deployed, refused] = [await run('deploy', '--no-wait', '--yes'), await run('deploy', '--yes', '--strict')]
  assert.is(deployed.status, 0, deployed.stderr)
  assert.ok(deployed.stderr.includes(`warning ${said}`), deployed.stderr)
  assert.is(refused.status, 3, refused.stderr)
  assert.ok(refused.stderr.includes(`error ${said}`), refused.stderr)
  const [destroyed, named] = [await run('destroy', '--yes'), await run('destroy', '--yes', '--name', 'shop')]
  assert.is(destroyed.status, 0, destroyed.stderr)
  assert.ok(destroyed.stderr.includes(`warning ${said}`), destroyed.stderr)
  assert.not.match(named.stderr, 'DT3117')
})

test.run()
