/**
 * A namespace that enforces Pod Security `restricted`, and warns about workloads: a file with the lines it asks for works,
 * and one without is told.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scenarios } from '../support/e2e/scenarios.ts'

const options = {
  labels: { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/warn': 'restricted' },
}

const service = (lines: string) => `
services:
  web:
    image: traefik/whoami:v1.11
    entrypoint: ["/whoami", "--port=8080"]
    expose: [8080]
    volumes: [data:/data]
${lines}
volumes:
  data:
`

const lines = ['user: "1000"', 'cap_drop: [ALL]', 'security_opt: ["no-new-privileges:true"]']

const test = suite('restricted')

await scenarios(test, [
  {
    title: 'a service with user, cap_drop and no-new-privileges runs in a restricted namespace',
    space: 'strict',
    options,
    run: async (space) => {
      space.write('compose.yaml', service(lines.map((line) => `    ${line}`).join('\n')))
      const { stderr } = await space.must('deploy', '--wait', '--timeout', '2m')
      assert.not.match(stderr, 'PodSecurity')
      assert.match((await space.inside('web', 8080)) ?? '', 'Hostname: web-')
    },
  },
  {
    title: 'the lines that a service lacks are named by the dry run, the deploy and why',
    space: 'lacking',
    options,
    run: async (space) => {
      space.write('compose.yaml', service(''))
      const dry = await space.run('deploy', '--dry-run=server')
      const deploy = await space.run('deploy', '--wait', '--timeout', '1m')
      const why = await space.run('why')
      assert.is(deploy.status, 1)
      const said = [dry.stderr, deploy.stderr, `${why.stdout}${why.stderr}`]
      for (const text of said) for (const line of lines) assert.ok(text.includes(line), `${line} in ${text}`)
    },
  },
])

test.run()
