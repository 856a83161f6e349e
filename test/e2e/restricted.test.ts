/**
 * A namespace that enforces Pod Security `restricted`, and warns about workloads: a file with the lines it asks for works,
 * and one without is told.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'

const enforced = { 'pod-security.kubernetes.io/enforce': 'restricted' }
const options = { labels: { ...enforced, 'pod-security.kubernetes.io/warn': 'restricted' } }
/** Here the server warns about nothing, and refuses the pods all the same. */
const silent = { labels: { ...enforced, 'pod-security.kubernetes.io/warn': 'privileged' } }

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

const examples = join(import.meta.dirname, '../../examples')

type Workload = { readonly metadata: { readonly labels: Readonly<Record<string, string>> }; readonly kind: string }

/** Gives every service of these objects the lines that the namespace asks for. */
const overrideOf = (document: string, more: ReadonlyArray<string> = []): string => {
  const { objects }: { readonly objects: ReadonlyArray<Workload> } = JSON.parse(document)
  const names = objects
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
    .map(({ metadata }) => metadata.labels['dev.devtool/service'])
  return `services:\n${names.map((name) => `  ${name}:\n${[...lines, ...more].map((line) => `    ${line}\n`).join('')}`).join('')}`
}

/** Sources that are not in this repository. */
const unbuilt: Readonly<Record<string, ReadonlyArray<string>>> = { shop: ['storefront', 'backoffice', 'api'] }

const example = (name: string): Scenario => ({
  title: `example ${name}: the dry run names the missing lines, and nothing once they are added`,
  space: name,
  options: { ...silent, folder: join(examples, name) },
  run: async (space) => {
    const names = unbuilt[name] ?? []
    const images = names.map((built) => `  ${built}: {build: !reset null, image: "traefik/whoami:v1.11"}\n`)
    const here = images.length === 0 ? [] : [space.write('here.yaml', `services:\n${images.join('')}`)]
    const own = ['compose.yaml', 'compose.override.yaml'].filter((file) => existsSync(join(examples, name, file)))
    const dryRun = (...files: ReadonlyArray<string>) => {
      const registry = process.env['DEVTOOL_E2E_REGISTRY'] ?? 'localhost:5000'
      const all = [...own, ...here, ...files].flatMap((file) => ['--file', file])
      return space.must('deploy', '--dry-run=server', '--registry', registry, ...all)
    }
    const lacking = await dryRun()
    for (const line of lines) assert.ok(lacking.stderr.includes(line), `${line} in ${lacking.stderr}`)
    const { stdout } = await space.must('deploy', '--dry-run', '--output', 'json')
    const { stderr } = await dryRun(space.write('restricted.yaml', overrideOf(stdout)))
    assert.not.match(stderr, 'PodSecurity')
  },
})

const test = suite('restricted')

await scenarios(test, [
  ...['hot-reload', 'monorepo', 'notes', 'shop', 'vote', 'wordpress'].map(example),
  {
    title: 'an example with these lines runs in a restricted namespace',
    space: 'runs',
    options: { ...silent, folder: join(examples, 'monorepo') },
    run: async (space) => {
      const { stdout } = await space.must('deploy', '--dry-run', '--output', 'json')
      // Its containers listen on port 80, which Docker allows to everybody.
      const override = overrideOf(stdout, ['sysctls: {net.ipv4.ip_unprivileged_port_start: 0}'])
      const files = ['compose.yaml', space.write('restricted.yaml', override)]
      await space.must('deploy', '--wait', '--timeout', '10m', ...files.flatMap((file) => ['--file', file]))
      await space.serves('users', /Hostname: users-/, { port: 80 })
    },
  },
  {
    title: 'a namespace without warnings: the dry run still names the lines',
    space: 'silent',
    options: silent,
    run: async (space) => {
      space.write('compose.yaml', service(''))
      const { stderr } = await space.must('deploy', '--dry-run=server')
      assert.match(stderr, /DT3132: StatefulSet\/web: its pods will be refused: violates PodSecurity/, stderr)
      for (const line of lines) assert.ok(stderr.includes(line), `${line} in ${stderr}`)
      space.write('compose.yaml', service(lines.map((line) => `    ${line}`).join('\n')))
      assert.not.match((await space.must('deploy', '--dry-run=server')).stderr, 'PodSecurity')
      assert.equal(await space.list('Pod'), [])
    },
  },
  {
    title: 'a service with user, cap_drop and no-new-privileges runs in a restricted namespace',
    space: 'strict',
    options,
    run: async (space) => {
      space.write('compose.yaml', service(lines.map((line) => `    ${line}`).join('\n')))
      const { stderr } = await space.must('deploy', '--wait', '--timeout', '5m')
      assert.not.match(stderr, 'PodSecurity')
      await space.serves('web', /Hostname: web-/)
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
