import { readFileSync } from 'node:fs'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { listFiles } from '../../scripts/imports.ts'
import { helpText } from '../../src/cli/help.ts'
import { helpTopics } from '../../src/cli/help-topics.ts'
import { installed } from '../../src/cli/installed.ts'
import { contextOf } from '../../src/cli/main.ts'
import { parse } from '../../src/cli/program.ts'
import { commandNames } from '../../src/cli/registry.ts'
import { headings } from '../../src/cli/sections.ts'
import { textOf } from '../../src/domain/compose/file-content.ts'
import { codes } from '../../src/domain/diagnostic/codes.ts'
import { memoryNetwork } from '../memory/network.ts'
import { devtool, diskOf, worldOf } from '../support/cli/cli.ts'

const files = { 'compose.yaml': 'services:\n  web: { image: a, profiles: [debug] }\n  worker: { image: a }\n' }

/** The words of an example up to a pipe or redirection, without quotes. */
const wordsOf = (example: string): ReadonlyArray<string> => {
  const [, line = ''] = /devtool ([^|>)]*)/.exec(example) ?? []
  return line.trim().split(/\s+/)
}

const shown = installed.map(({ command }) => command).filter(({ isHidden = false }) => !isHidden)

test('every example of every command can be parsed', () => {
  const context = contextOf(worldOf().world)
  for (const command of shown) {
    assert.ok(command.examples.length > 0, `${command.name} has no example`)
    for (const [, example] of command.examples) {
      const words = wordsOf(example.replaceAll('$0', 'devtool'))
      assert.ok(parse(command, words, context) !== undefined, example)
    }
  }
})

test('a command with many flags has them below common headings, each once', () => {
  const known = headings.map((heading) => heading.replace(/^\w+/, '$& flags'))
  let count = 0
  for (const command of shown) {
    const keys = Object.entries(command.flags).flatMap(([key, { unused }]) => (unused === undefined ? [key] : []))
    const text = helpText([command], '1.0.0', command.name) ?? ''
    const found = [...text.matchAll(/^(.*flags.*):\n {2}/gm)].map(([, heading = '']) => heading)
    if (keys.length <= 8) assert.equal(found, keys.length === 0 ? [] : ['flags'], command.name)
    else {
      count += 1
      assert.ok(found.length >= 3, `${command.name}: ${found.join(', ')}`)
      assert.equal(
        found,
        known.filter((heading) => found.includes(heading)),
        command.name,
      )
    }
    const listed = [...text.matchAll(/^ {2}(?:-\w, | {4})?(-[-\w]+)/gm)].map(([, name = '']) => name)
    assert.equal(listed.toSorted(), keys.map((key) => command.flags[key]?.names.at(-1) ?? '').toSorted(), command.name)
  }
  assert.ok(count >= 15, `${count} commands`)
})

test('every flag is described, and has a value name in help exactly if it takes a value', () => {
  for (const { flags, name } of shown) {
    for (const { about, arity, names, value } of Object.values(flags)) {
      assert.ok(about.length > 5, `${name} ${names.join()}`)
      assert.is(value !== undefined, arity === 'One' || arity === 'Many', `${name} ${names.join()}`)
    }
  }
})

test('a flag takes a value in all commands or in none, so that the command after it can be found', () => {
  const takes = new Map<string, boolean>()
  for (const { flags, name } of shown) {
    for (const { arity, names } of Object.values(flags)) {
      for (const flag of names) {
        const isTaking = arity === 'One' || arity === 'Many'
        assert.is(takes.get(flag) ?? isTaking, isTaking, `${name} ${flag}`)
        takes.set(flag, isTaking)
      }
    }
  }
})

test('every argument of a command is in its help, and is completed if its values are known', () => {
  const ofPlatform = ['namespace create name', 'variable set name', 'variable set value', 'variable unset name']
  const users = ['namespace members add user', 'namespace members remove user']
  const previews = ['deploy', 'destroy', 'endpoints'].map((verb) => `preview ${verb} name`)
  const free = new Set([
    ...['exec command', 'forward port', 'history number', 'rollback number'],
    ...ofPlatform,
    ...users,
    ...previews,
  ])
  for (const { name, words } of shown) {
    for (const word of Object.values(words)) {
      const isOffered = word.values !== undefined || word.offers !== undefined
      assert.is(isOffered, !free.has(`${name} ${word.name}`), `${name} ${word.name}`)
    }
  }
})

test('help has at most 80 columns and names every command', async () => {
  const all = await devtool(['help'])
  assert.is(all.status, 0)
  for (const name of commandNames) assert.match(all.stdout, new RegExp(`^  ${name}( |$)`, 'm'))
  for (const args of [['help'], ...[...commandNames, ...helpTopics.keys()].map((name) => ['help', name])]) {
    const { stdout } = await devtool(args)
    for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line)
  }
})

/**
 * What programs of ours get from others of ours, what devtool gives to builds and to the commands of a manifest, and the
 * variable of a platform with the logins of its runs.
 */
const givenByDevtool =
  /^(?:DEVTOOL_(?:BACKGROUND|BRANCH|BUILD_|CLONE_SECONDS|COMMIT|CONFIG_FOLDER|DATE|DEPENDENCY_CHAIN|ENV|FORK|GIT_\w*|IMAGE|MAX_RUNS|REGISTRY_URL|RECORDED_COMMANDS|REPOSITORY|RUN|RUN_NAMESPACE|SAVED_|SINGLE|SLEEP_AFTER|VARIABLES_FILE|VERSION|WHO|WITHIN_COMMAND)|DEVTOOL_AGENT_(?!IMAGE)\w*|DOCKER_AUTH_CONFIG|FTP_PROXY)$/

test('the help on variables names those that are read, and all of them', () => {
  const sources = listFiles('src').filter((file) => !file.endsWith('help-topics.ts'))
  const text = sources.map((file) => readFileSync(file, 'utf8')).join('\n')
  const names = (helpTopics.get('variables')?.entries ?? []).flatMap(([left]) => left.split(', '))
  assert.equal(
    names.filter(
      (name) => !new RegExp(`['"\\s]${name.replace(/_(?:TIME|TIMEOUT)_MS$|_PERMIT\\w+$/, '')}\\b`).test(text),
    ),
    [],
  )
  const family =
    /'((?:DEVTOOL|COMPOSE|DOCKER|BUILDKIT|SSL)_[A-Z_]+|[A-Z]+_PROXY|NO_COLOR|FORCE_COLOR|DO_NOT_TRACK|CI|SOURCE_DATE_EPOCH)'/g
  const read = [...new Set([...text.matchAll(family)].map(([, name = '']) => name))]
  assert.ok(read.length > 30)
  assert.equal(
    read.filter((name) => !givenByDevtool.test(name) && !names.some((known) => known.startsWith(name))),
    [],
  )
})

test('help on status has the exit statuses of all commands below the command', async () => {
  const { stdout: topic } = await devtool(['help', 'exit-status'])
  for (const args of [
    ['help', 'status'],
    ['status', '--help'],
  ]) {
    const { stdout } = await devtool(args)
    assert.match(stdout, /^usage: devtool status/m)
    assert.ok(stdout.endsWith(`\n\n${topic}`), stdout)
  }
})

test('the help on exit statuses has that of every code', () => {
  const listed = new Set((helpTopics.get('exit-status')?.entries ?? []).flatMap(([left]) => left.split(', ')))
  const missing = Object.entries(codes).filter(([, { status }]) => !listed.has(String(status)))
  assert.equal(missing, [])
})

test('every way to ask for help prints the same text', async () => {
  const { stdout } = await devtool(['help', 'deploy'])
  for (const args of [
    ['deploy', '--help'],
    ['deploy', '-h'],
    ['--help', 'deploy'],
    ['deploy', '--file', 'x', '--help'],
  ]) {
    assert.is((await devtool(args)).stdout, stdout, args.join(' '))
  }
  const all = (await devtool(['help'])).stdout
  for (const args of [[], ['--help'], ['-h']]) assert.is((await devtool(args)).stdout, all)
})

for (const [argv, words] of [
  [['depoly'], 'did you mean "deploy"?'],
  [['sideways'], 'unknown command "sideways"'],
  [['help', 'depoly'], 'did you mean "deploy"?'],
  [['depoly', '--help'], 'unknown command'],
  [['--flie'], 'unknown flag "--flie"'],
  [['--loglevel', 'debug'], 'there is no command'],
  [['version', '-o', 'jsn'], 'did you mean "json"?'],
  [['version', 'now'], 'unexpected argument "now"'],
  [['validate', '--stict'], 'did you mean "--strict"?'],
  [['validate', '--file'], '--file needs a value'],
  [['validate', 'web'], 'unexpected argument "web"'],
  [['explain', 'DT9999'], 'nothing to explain'],
  [['completion'], 'bash'],
  [['completion', 'bsh'], 'did you mean "bash"?'],
  [['version', '\u001b[2J'], '\\x1b'],
] as const) {
  test(`devtool ${JSON.stringify(argv)} is a usage error`, async () => {
    const { status, stderr, stdout } = await devtool(argv)
    assert.equal([status, stdout], [2, ''], stderr)
    assert.match(stderr, words)
    assert.not.match(stderr, '\u001b')
  })
}

test('version is printed', async () => {
  for (const args of [['version'], ['--version']]) assert.is((await devtool(args)).stdout, '1.2.3\n')
})

test('--check asks the configured address which version is the newest, and no other', async () => {
  const asked: Array<string> = []
  const check = (answer: string, more: ReadonlyArray<string> = []) => {
    const read = (url: string) => {
      asked.push(url)
      return TE.right(answer)
    }
    const memory = { ports: { network: memoryNetwork({ read }) } }
    return devtool(['version', '--check', ...more], { env: { DEVTOOL_RELEASE_URL: 'https://r.test/devtool/' }, memory })
  }
  assert.is((await check('{"version": "1.2.3"}')).stdout, '1.2.3\nthis is the newest version\n')
  assert.is((await check('{"version": "1.3.0"}')).stdout, '1.2.3\nthe newest version is 1.3.0\n')
  const { newest, version } = JSON.parse((await check('{"version": "1.3.0"}', ['-o', 'json'])).stdout)
  assert.equal([version, newest], ['1.2.3', '1.3.0'])
  for (const other of ['<html>', '{}', '[]', 'null', '{"version": 2}', String.raw`{"version": "1\u001b[2J"}`]) {
    const { status, stderr } = await check(other)
    assert.is(status, 8)
    assert.match(stderr, 'DT2010')
  }
  assert.equal([...new Set(asked)], ['https://r.test/devtool/latest.json'])
  assert.match((await devtool(['version', '--check'])).stderr, 'DT2009')
})

test('credentials in the address of releases are not printed', async () => {
  const memory = { ports: { network: memoryNetwork({ read: () => TE.left('HTTP status 403') }) } }
  const env = { DEVTOOL_RELEASE_URL: 'https://ann:hidden@r.test/devtool' }
  const { stderr } = await devtool(['version', '--check'], { env, memory })
  assert.match(stderr, 'cannot read https://r.test/devtool/latest.json: HTTP status 403')
  assert.not.match(stderr, 'hidden')
})

test('-o json prints data', async () => {
  const [node, platform] = [process.versions.node, `${process.platform}-${process.arch}`]
  const version = { schema: 1, version: '1.2.3', node, platform }
  assert.equal(JSON.parse((await devtool(['version', '-o', 'json'])).stdout), version)
  assert.match((await devtool(['version', '-o', 'yaml'])).stdout, `schema: 1\nversion: "1.2.3"\nnode: "${node}"\n`)
  const code = JSON.parse((await devtool(['explain', 'dt1012', '-o', 'json'])).stdout)
  assert.equal([code.schema, code.topic, code.status], [1, 'DT1012', 3])
  assert.match((await devtool(['explain', 'ports', '-o', 'yaml'])).stdout, /^schema: 1\ntopic: "services\.\*\.ports"\n/)
  assert.is(JSON.parse((await devtool(['explain', '-o', 'json'])).stdout).topics[0], 'DT1001')
  const broken = { 'compose.yaml': 'services:\n  web:\n    image: x\n    imag: x\n' }
  const { status, stderr, stdout } = await devtool(['validate', '-o', 'yaml'], { files: broken })
  assert.equal([status, stderr], [3, ''])
  assert.match(stdout, /^schema: 1\ndiagnostics:\n- severity: error\n {2}code: DT1004\n/)
  const unknown = await devtool(['explain', 'DT9999', '-o', 'json'])
  assert.equal([unknown.status, unknown.stdout, JSON.parse(unknown.stderr).code], [2, '', 'DT2001'])
})

test('validate reports findings as text and as data', async () => {
  const good = await devtool(['validate'], { files })
  assert.equal([good.status, good.stdout], [0, ''])
  assert.match(good.stderr, 'compose.yaml: valid')
  const broken = { 'compose.yaml': 'services:\n  web:\n    image: x\n    imag: x\n' }
  const { status, stderr, stdout } = await devtool(['validate', '-o', 'json'], { files: broken })
  assert.equal([status, stderr], [3, ''])
  const document = JSON.parse(stdout)
  assert.equal([document.schema, document.diagnostics[0].code, document.diagnostics[0].at.line], [1, 'DT1004', 4])
})

test('an empty folder and a Helm chart have different errors', async () => {
  const nothing = await devtool(['validate'])
  assert.match(nothing.stderr, 'DT1042')
  const chart = await devtool(['validate'], { files: { 'chart/Chart.yaml': '' } })
  assert.match(chart.stderr, 'using the Helm chart chart\n')
  assert.is(chart.status, 0)
})

test('a manifest is checked with the Compose file that it names', async () => {
  const manifest = { 'devtool.yml': 'deploy: {compose: c.yaml}', 'c.yaml': 'services: {web: {imgae: nginx}}' }
  const { status, stderr } = await devtool(['validate'], { files: manifest })
  assert.match(stderr, 'did you mean "image"?')
  assert.is(status, 3)
})

test('a dry run of commands names them and prints nothing', async () => {
  const { status, stderr, stdout } = await devtool(['deploy', '--dry-run', '--loglevel', 'info'], {
    files: { 'k8s/kustomization.yaml': '' },
  })
  assert.is(status, 0)
  assert.is(stdout, '')
  assert.match(stderr, 'using the kustomization k8s\n')
  assert.match(stderr, '1 command of deploy: is not run in a dry run: kubectl')
})

test('every code is explained', async () => {
  for (const code of Object.keys(codes)) assert.is((await devtool(['explain', code.toLowerCase()])).status, 0, code)
  assert.match((await devtool(['explain'])).stdout, 'DT1001\n')
})

test('the schema is JSON', async () => {
  assert.is(JSON.parse((await devtool(['schema'])).stdout).title, 'Compose file for devtool')
  assert.is(JSON.parse((await devtool(['schema', 'compose'])).stdout).title, 'Compose file for devtool')
  assert.is(JSON.parse((await devtool(['schema', 'manifest'])).stdout).title, 'Manifest for devtool')
  assert.is((await devtool(['schema', 'manifets'])).status, 2)
})

test('an editor gets the schema that is named, or both', async () => {
  const [compose, manifest, settings] = ['compose.schema.json', 'devtool.schema.json', 'settings.json']
  const cases: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = [
    [[], [compose, manifest, settings]],
    [['compose'], [compose, settings]],
    [['manifest'], [manifest, settings]],
  ]
  for (const [words, expected] of cases) {
    const disk = diskOf({})
    const { status, stderr } = await devtool(['schema', ...words, '--install'], { disk })
    assert.is(status, 0, stderr)
    assert.equal(
      [...disk.keys()].toSorted(),
      expected.map((name) => `.vscode/${name}`),
    )
    const entry = disk.get(`.vscode/${settings}`)
    const named = JSON.parse(entry?._tag === 'File' ? (textOf(entry.bytes) ?? '') : '')['yaml.schemas']
    assert.equal(
      Object.keys(named),
      expected.slice(0, -1).map((name) => `./.vscode/${name}`),
    )
  }
})

test.run()
