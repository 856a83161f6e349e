/** Files that are put together as Compose does it: env files, `include`, `extends`, lists that are merged. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Files, objectsOf, translateFiles } from '../../support/compose/project.ts'

const translated = (files: Files, main: ReadonlyArray<string> = ['compose.yaml']) => {
  const translation = translateFiles(files, { files: [...main] })
  assert.equal(
    translation.findings.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    [],
  )
  return translation
}

const workload = (files: Files, name: string, main?: ReadonlyArray<string>) => {
  const found = objectsOf(translated(files, main)).find(
    ({ kind, metadata }) => (kind === 'Deployment' || kind === 'StatefulSet') && metadata.name === name,
  )
  assert.ok(found?.kind === 'Deployment' || found?.kind === 'StatefulSet')
  return found
}

const environment = (files: Files, name: string, main?: ReadonlyArray<string>): Readonly<Record<string, string>> => {
  const [container] = workload(files, name, main).spec.template.spec.containers
  return Object.fromEntries((container?.env ?? []).map((one) => [one.name, one.value ?? '']))
}

test('a variable in an env file is taken from a line above it first, then from an earlier file', () => {
  const files = {
    'compose.yaml': 'services: {web: {image: nginx, env_file: [one.env, two.env]}}\n',
    'one.env': 'HOST=one\nONLY=one\n',
    'two.env': 'HOST=two\nURL=http://${HOST}/${ONLY}\n',
  }
  assert.is(environment(files, 'web')['URL'], 'http://two/one')
})

const included = { 'app/compose.yaml': 'services: {app: {image: nginx, environment: {A: "$A", B: "$B"}}}\n' }

test('files name one env file however they spell it, which keeps its place', () => {
  const files = {
    'compose.yaml': 'services: {web: {image: nginx, env_file: [one.env, two.env]}}\n',
    'more.yaml': 'services: {web: {env_file: [./one.env]}}\n',
    'one.env': 'A=one\n',
    'two.env': 'A=two\n',
  }
  assert.equal(environment(files, 'web', ['compose.yaml', 'more.yaml']), { A: 'two' })
})

test('the name of a label may have an equals sign, also when another file adds labels', () => {
  const files = {
    'compose.yaml': 'services: {web: {image: nginx, labels: {a=b: c}}}\n',
    'more.yaml': 'services: {web: {labels: {d: e}}}\n',
  }
  const { annotations } = workload(files, 'web', ['compose.yaml', 'more.yaml']).metadata
  assert.is(annotations?.get('dev.devtool/labels'), '{"a=b":"c"}')
})

test('a mount that a later file repeats is the one at its target', () => {
  const files = {
    'compose.yaml': 'services: {web: {image: nginx, volumes: [vv:/d, ww:/d]}}\nvolumes: {vv: , ww: }\n',
    'more.yaml': 'services: {web: {volumes: [vv:/d]}}\n',
  }
  const { volumes = [] } = workload(files, 'web', ['compose.yaml', 'more.yaml']).spec.template.spec
  assert.equal(
    volumes.map(({ name }) => name),
    ['vv'],
  )
})

test('the variables of the including project take precedence over those of the included one', () => {
  const files = {
    ...included,
    'compose.yaml': 'include: [app/compose.yaml]\n',
    '.env': 'A=main\n',
    'app/.env': 'A=app\nB=app\n',
  }
  assert.equal(environment(files, 'app'), { A: 'main', B: 'app' })
})

test('an included file sees the variables of the files that lead to it', () => {
  const files = {
    ...included,
    'compose.yaml': 'include: [{path: middle/compose.yaml, env_file: middle.env}]\n',
    'middle.env': 'A=middle\n',
    'middle/compose.yaml': 'include: [../app/compose.yaml]\n',
    'app/.env': 'B=app\n',
  }
  assert.equal(environment(files, 'app'), { A: 'middle', B: 'app' })
})

test('a file that is both included and extended has the variables of each place', () => {
  const files = {
    ...included,
    'compose.yaml':
      'include: [{path: app/compose.yaml, env_file: own.env}]\nservices: {web: {extends: {file: app/compose.yaml, service: app}}}\n',
    'own.env': 'A=own\nB=own\n',
    'app/.env': 'A=app\nB=app\n',
  }
  assert.equal(environment(files, 'app'), { A: 'own', B: 'own' })
  assert.equal(environment(files, 'web'), { A: 'app', B: 'app' })
})

test('a service extends one of its own folder with the variables of the project', () => {
  const translation = translateFiles(
    {
      'compose.yaml': 'services: {web: {extends: {file: base.yaml, service: base}}}\n',
      'base.yaml': 'services: {base: {image: nginx, command: "run $TAG"}}\n',
      '.env': 'TAG=wrong\n',
      'prod.env': 'OTHER=1\n',
    },
    { files: ['compose.yaml'], envFiles: ['prod.env'] },
  )
  assert.equal(
    translation.findings.flatMap(({ code, message }) => (code === 'DT1011' ? [message] : [])),
    ['the variable TAG is not set, so an empty string is used'],
  )
})

test('!reset and an absent value of extends extend nothing, as in Compose', () => {
  const files = {
    'compose.yaml': 'services: {base: {image: redis, command: serve}, web: {image: nginx, extends: base}}\n',
    'more.yaml': 'services: {web: {extends: !reset {service: base, file: base.yaml}}}\n',
    'alone.yaml': 'services: {base: {image: redis}, web: {image: nginx, extends: }}\n',
  }
  const wordsOf = (main: ReadonlyArray<string>): unknown =>
    workload(files, 'web', main).spec.template.spec.containers[0]?.args
  assert.equal(wordsOf(['compose.yaml', 'more.yaml']), ['serve'])
  assert.is(wordsOf(['alone.yaml']), undefined)
})

test('a port of an inline Dockerfile is said at the build, whichever file is the last', () => {
  const files = {
    'compose.yaml': 'services:\n  web:\n    build: {dockerfile_inline: "FROM scratch\\nEXPOSE 80"}\n',
    'more.yaml': 'services: {web: {tty: true}}\n',
  }
  const places = translated(files, ['compose.yaml', 'more.yaml']).findings.map(({ at }) => [at?.file, at?.line])
  assert.equal(places, [['compose.yaml', 3]])
})

test('a resource without a value is the same as one with an empty mapping', () => {
  const files = {
    'compose.yaml': 'include: [app.yaml]\nservices: {web: {image: nginx, volumes: ["data:/d"]}}\nvolumes: {data: {}}\n',
    'app.yaml': 'services: {app: {image: nginx}}\nvolumes: {data: }\n',
  }
  translated(files)
})

test('an item in two files, or twice in the later one, is there once', () => {
  const hook = (path: string): string => `{command: [touch, ${path}]}`
  const files = {
    'compose.yaml': `services: {web: {image: nginx, post_start: [${hook('/x')}]}}\n`,
    'more.yaml': `services: {web: {post_start: [${hook('/x')}, ${hook('/y')}, ${hook('"/y"')}]}}\n`,
  }
  const [container] = workload(files, 'web', ['compose.yaml', 'more.yaml']).spec.template.spec.containers
  const command = container?.lifecycle?.postStart?.exec.command?.join(' ') ?? ''
  assert.equal([command.split('/x').length, command.split('/y').length], [2, 2])
})

test('env files of the same name in two folders are different, and a file named twice is read once', () => {
  const files = {
    'compose.yaml':
      'services: {web: {extends: {file: base/compose.yaml, service: web}, env_file: [app.env, {path: ./base/app.env}]}}\n',
    'base/compose.yaml': 'services: {web: {image: nginx, env_file: app.env}}\n',
    'app.env': 'A=own\nC=own\n',
    'base/app.env': 'A=base\nB=base\n',
  }
  assert.equal(environment(files, 'web'), { A: 'own', B: 'base', C: 'own' })
})

test('a name in a later depends_on means service_started, as in a single file', () => {
  const depends = (first: string, last: string): unknown =>
    workload(
      {
        'compose.yaml': `services: {db: {image: redis}, web: {image: nginx, depends_on: ${first}}}\n`,
        'more.yaml': `services: {web: {depends_on: ${last}}}\n`,
      },
      'web',
      ['compose.yaml', 'more.yaml'],
    ).metadata.annotations?.get('dev.devtool/depends-on')
  const [short, long] = ['[db]', '{db: {condition: service_healthy}}']
  assert.is(depends(long, short), '{"db":"service_started"}')
  assert.is(depends(short, long), '{"db":"service_healthy"}')
})

test('a port with a protocol is the same one in both notations', () => {
  const files: Files = {
    'compose.yaml': 'services: {dns: {image: nginx, ports: ["53:53/udp", "53:53/tcp"]}}\n',
    'more.yaml': 'services: {dns: {ports: [{target: 53, published: 53, protocol: udp, name: queries}]}}\n',
  }
  const [service] = translateFiles(files, { files: ['compose.yaml', 'more.yaml'] }).services ?? []
  assert.equal(
    service?.ports.map(({ name, protocol, target }) => [target, protocol, name]),
    [
      [53, 'UDP', 'queries'],
      [53, 'TCP', undefined],
    ],
  )
})

test('a port of a later file replaces the same published port, with or without an address', () => {
  for (const first of ['"80:80"', '"0.0.0.0:80:80"', '":80:80"', '{target: 80, published: 80, host_ip: 0.0.0.0}']) {
    const files = {
      'compose.yaml': `services: {web: {image: nginx, ports: [${first}]}}\n`,
      'more.yaml': 'services: {web: {ports: [{target: 80, published: 80, mode: host}]}}\n',
    }
    const kinds = objectsOf(translated(files, ['compose.yaml', 'more.yaml'])).map(({ kind }) => kind)
    assert.not(kinds.includes('Ingress'), first)
  }
})

test('a command without a value in a later file resets to that of the image, other fields keep their value', () => {
  const base = '{image: nginx, command: [a], entrypoint: [b], working_dir: /w}'
  const files = {
    'compose.yaml': `services: {base: ${base}, web: {extends: base, command: , entrypoint: , working_dir: }, api: ${base}}\n`,
    'more.yaml': 'services: {api: {command: , entrypoint: , working_dir: }}\n',
  }
  for (const name of ['web', 'api']) {
    const [container] = workload(files, name, ['compose.yaml', 'more.yaml']).spec.template.spec.containers
    assert.equal([container?.args, container?.command], [undefined, undefined])
    assert.is(container?.workingDir, '/w')
  }
})

test('a host volume at the target of a volume replaces it, and the other way round', () => {
  const compose = (first: string, last: string): Files => ({
    'compose.yaml': `services: {web: {image: nginx, volumes: ["${first}:/data", "${last}:/data"]}}\nvolumes: {data: }\n`,
  })
  assert.is(workload(compose('data', './data'), 'web').kind, 'Deployment')
  assert.is(workload(compose('./data', 'data'), 'web').kind, 'StatefulSet')
  const said = translated(compose('./data', 'data')).findings.map(({ code }) => code)
  assert.equal(said, ['DT1039'])
})

test.run()
