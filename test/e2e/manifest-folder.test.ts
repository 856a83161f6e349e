/** kubectl reads the folder that `--output files=FOLDER` writes, and the API server takes what is in it. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scenarios } from '../support/e2e/scenarios.ts'

const compose = `
name: shop
services:
  web:
    image: traefik/whoami:v1.11
    ports: ["80:80"]
    configs: [{source: page, target: /page}]
    environment: {ODD: "$$(A) 0x1f: yes"}
  db:
    image: redis:8-alpine
    secrets: [pw]
    volumes: [data:/data]
  job: {image: redis:8-alpine, restart: "no", command: ["true"]}
configs: {page: {content: "# not a comment\\n\\ttab"}}
secrets: {pw: {environment: PW}}
volumes: {data: {}}
`

const kubectl = (...args: ReadonlyArray<string>): string =>
  execFileSync(process.env['KUBECTL'] ?? 'kubectl', args, { encoding: 'utf8' })

const test = suite('manifest folder')

await scenarios(test, [
  {
    title: 'kubectl kustomize and kubectl apply -k accept the folder, also after a change',
    space: 'folder',
    run: async (space) => {
      space.write('.env', 'PW=secret\n')
      for (const text of [compose, compose.replace(/ {2}job:.*\n/, '  other: {image: redis:8-alpine}\n')]) {
        space.write('compose.yaml', text)
        await space.must('deploy', '--dry-run', '--output', 'files=k8s')
        const folder = join(space.folder, 'k8s')
        const printed = await space.must('deploy', '--dry-run')
        const built = kubectl('kustomize', folder)
        const kindsIn = (yaml: string) => [...yaml.matchAll(/^kind: (.*)$/gm)].map(([, kind = '']) => kind).toSorted()
        assert.equal(kindsIn(built), kindsIn(printed.stdout))
        assert.not.match(built, 'kind: Secret')
        const applied = kubectl('apply', '-k', folder, '--dry-run=server')
        assert.is(applied.trim().split('\n').length, kindsIn(built).length, applied)
      }
      assert.not.ok(existsSync(join(space.folder, 'k8s/job-job.yaml')))
      assert.is((await space.run('deploy', '--dry-run', '--golden', 'k8s')).status, 0)
    },
  },
])

test.run()
