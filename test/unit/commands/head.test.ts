/** What a deploy asks git about the folder of its manifest. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryCommands } from '../../memory/commands.ts'
import { devtool } from '../../support/cli.ts'
import { noGit } from '../../support/memory-ports.ts'

test('a deploy with commands asks git once what is checked out', async () => {
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

test.run()
