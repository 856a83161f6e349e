/** With `--host-files=config` a service reads files of the project, and its pods are replaced when one of them changes. */
import { chmodSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scenarios } from '../support/e2e/scenarios.ts'

const compose = `
name: files
services:
  web:
    image: busybox:1.37
    entrypoint: ["/etc/app/run.sh"]
    volumes:
      - ./site/index.html:/www/index.html
      - ./conf:/etc/app:ro
    expose: [8080]
`

const script = '#!/bin/sh\ncat /etc/app/sub/more.txt >/www/more.txt\nexec busybox httpd -f -p 8080 -h /www\n'

const test = suite('host files')

await scenarios(test, [
  {
    title: 'a service reads and runs files of the project, and a changed file replaces its pods',
    space: 'files',
    run: async (space) => {
      space.write('compose.yaml', compose)
      space.write('site/index.html', 'first')
      space.write('conf/sub/more.txt', 'more')
      chmodSync(space.write('conf/run.sh', script), 0o755)
      const deploy = () => space.must('deploy', '--host-files=config', '--wait', '--timeout', '5m')
      await deploy()
      await space.serves('web', 'first', { path: '/index.html' })
      await space.serves('web', 'more', { path: '/more.txt' })
      const [before] = await space.list('ReplicaSet')
      await deploy()
      assert.is((await space.list('ReplicaSet')).length, 1)
      space.write('site/index.html', 'second')
      await deploy()
      await space.serves('web', 'second', { path: '/index.html' })
      const after = await space.list('ReplicaSet')
      assert.ok(after.length === 2 && after.some(({ metadata }) => metadata.uid !== before?.metadata.uid))
    },
  },
])

test.run()
