/** What each flag does: all that a command shows has an effect there, and the rest is refused. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { installed } from '../../src/cli/installed.ts'
import { spelledOut } from '../../src/cli/program.ts'
import { devtool } from '../support/cli/cli.ts'
import { effects } from '../support/flags/effects.ts'
import { logLines } from '../support/flags/meddling.ts'
import { referenceFlags } from '../support/flags/reference.ts'
import { observe, type Setup } from '../support/flags/world.ts'
import { keptShop } from '../support/sync/kept-shop.ts'

const shown = installed.map(({ command }) => command).filter(({ isHidden = false }) => !isHidden)

const kept = new Map<string, string>()

/** What is seen without the flag: the same every time, else a difference says nothing about the flag. */
const seenWithout = async (argv: ReadonlyArray<string>, setup: Setup): Promise<string> => {
  const key = JSON.stringify([argv, setup, setup.meddle?.name, setup.meanwhile?.name])
  const known = kept.get(key)
  if (known !== undefined) return known
  const [first, second] = [await observe(argv, setup), await observe(argv, setup)]
  assert.is(second.steady, first.steady, 'without the flag, two runs in the same world differ')
  assert.not.match(first.said, 'DT9001')
  kept.set(key, first.seen)
  return first.seen
}

/** They find nothing in the world of these tests. */
const lists = ['namespace list', 'namespace members list', 'pipeline list', 'preview list', 'variable list']
const ofPlatform = ['kubetoken', ...lists, 'preview endpoints']
const findsNothing = new Set([...ofPlatform, 'sync allow', 'sync refuse'])

for (const { flags, name } of shown) {
  const known = effects[name] ?? {}
  const inHelp = Object.values(flags).filter(({ unused }) => unused === undefined)
  const longNames = inHelp.map(({ names }) => names.at(-1) ?? '')
  test(`there is a test of the effect of every flag of ${name}`, () => {
    assert.equal(Object.keys(known).toSorted(), longNames.toSorted())
  })
  for (const [flag, effect] of Object.entries(known)) {
    test(`${flag} changes what ${name} does`, async () => {
      const { flag: added, line = [], rest = [], ...setup } = effect
      const argv = [...name.split(' '), ...line]
      const without = await seenWithout([...argv, ...rest], setup)
      const { said, seen, status } = await observe([...argv, ...added, ...rest], setup)
      assert.not.match(said, 'DT9001')
      assert.not.match(said, new RegExp(`^[^:\\n]*${flag}\\b[^:\\n]*: no effect`, 'm'))
      assert.is.not(status, 2, `refused: ${said}`)
      assert.is.not(seen, without)
    })
  }
}

/** Of flags that are accepted and have no effect. */
const someValue: Readonly<Record<string, string>> = { '--loglevel': 'info', '--namespace': 'demo', '--context': 'test' }

/** What a command cannot do without, and how it prints text on stderr. */
const more: Readonly<Record<string, ReadonlyArray<string>>> = {
  completion: ['bash'],
  'context show': ['-o', 'yaml'],
  'sync explain': ['src/main.ts'],
}

for (const { flags, name } of shown) {
  const unused = Object.values(flags).filter((flag) => flag.unused !== undefined)
  for (const flag of unused.map(({ names }) => names.at(-1) ?? '')) {
    test(`${name} accepts ${flag} and reports that it has no effect`, async () => {
      assert.ok(flag === '--loglevel' || referenceFlags[name]?.includes(flag))
      const argv = [...name.split(' '), ...(more[name] ?? [])]
      const value = someValue[flag] === undefined ? [] : [someValue[flag]]
      const { status, stderr, stdout } = await devtool([...argv, flag, ...value], { memory: keptShop() })
      const without = await devtool(argv, { memory: keptShop() })
      assert.equal([status, stdout], [findsNothing.has(name) ? 5 : 0, without.stdout], stderr)
      assert.is(stderr.split('\n').filter((line) => line.startsWith(`${flag}: no effect on ${name}: `)).length, 1)
      const help = await devtool(['help', ...name.split(' ')])
      assert.not.match(help.stdout, flag)
    })
  }
}

for (const [argv, says] of [
  [['--load', '--push'], '--load and --push: an image goes to one place'],
  [['--load', '--platform', 'linux/amd64,linux/arm64'], '--load: the Docker daemon takes one platform only'],
  [['--load', '--provenance', 'mode=max', '--sbom', 'false'], '--load: the Docker daemon takes no provenance'],
  [['--load', '--sbom', 'true', '--provenance', 'false'], '--load: the Docker daemon takes no SBOM'],
] as const) {
  test(`build -f ${argv.join(' ')}, with a builder other than Docker, is a usage error`, async () => {
    const home = { 'context/config.json': JSON.stringify({ contexts: { other: { builder: 'tcp://kit:1' } } }) }
    const { said, status } = await observe(['build', '-f', 'Dockerfile', '--context', 'other', ...argv], { home })
    assert.is(status, 2, said)
    assert.match(said, says)
    assert.is(said.match(/error DT/g)?.length, 1)
  })
}

test('flags that are in no help are refused', async () => {
  for (const { name } of shown) {
    const { status, stderr } = await devtool([...name.split(' '), '--frobnicate'])
    assert.is(status, 2, name)
    assert.match(stderr, 'unknown flag "--frobnicate"')
  }
  for (const argv of [
    ['list', '--report', 'sarif=x'],
    ['logs', '--strict'],
    ['why', '--profile', 'debug'],
    ['endpoints', '--yes'],
    ['doctor', '--report', 'sarif=x'],
    ['destroy', '--strict'],
  ]) {
    const { status, stderr } = await devtool(argv)
    assert.is(status, 2, argv.join(' '))
    assert.match(stderr, 'unknown flag')
  }
})

for (const [name, flags] of Object.entries(referenceFlags)) {
  test(`${name} accepts every flag of the reference`, () => {
    const command = shown.find((one) => one.name === name)
    const taken = Object.values(command?.flags ?? {}).flatMap(({ names }) => names)
    assert.equal(
      flags.filter((flag) => !taken.includes(flag)),
      [],
    )
  })
}

test('a number of runs that is refused is refused with the numbers that are not', async () => {
  for (const number of ['0', '10000']) {
    const { status, stderr } = await devtool(['platform', 'install', '--max-runs', number])
    assert.is(status, 2)
    assert.match(stderr, `--max-runs: "${number}" is not a number of runs`)
    assert.match(stderr, 'write one from 1 to 9999')
  }
})

test('every command of the reference exists', () => {
  const names = shown.map(({ name }) => name)
  assert.equal(
    Object.keys(referenceFlags).filter((name) => !names.includes(name)),
    [],
  )
})

for (const [argv, flags, words] of [
  [['deploy', '--dry-run'], ['--wait', '--timeout', '90s'], '--timeout, --wait: no effect with --dry-run'],
  [['deploy', '--dry-run=server'], ['--no-bash'], '--no-bash: no effect with --dry-run=server'],
  [['deploy', '--diff'], ['--build'], '--build: no effect with --diff'],
  [['destroy', '--dry-run'], ['--wait'], '--wait: no effect with --dry-run'],
  [['logs', '--all'], ['--file', 'compose.yaml'], '--file: no effect with --all'],
  [['logs', '--previous'], ['--follow'], '--follow: no effect with --previous'],
  [['doctor', '--check'], ['--name', 'shop'], '--name: no effect with --check'],
  [['build', '-f', 'Dockerfile', '--tag', 'r.test/web:1'], ['--name', 'shop'], '--name: no effect with -f'],
  [['build', '--registry', 'r.test'], ['--label', 'a=b', '--pull'], '--label, --pull: no effect without -f'],
  [['init'], ['--namespace', 'demo'], '--namespace: no effect on init: no cluster is asked'],
  [['deploy', '--dry-run'], ['--progress', 'plain'], '--progress: no effect with --dry-run'],
  [['deploy', '--dry-run'], ['--progress', 'tty', '--yes'], '--yes, --progress: no effect with --dry-run'],
] as const) {
  test(`${argv.join(' ')} reports in one line that ${flags.join(' ')} has no effect, and continues`, async () => {
    const without = await observe(argv, {})
    const { said, status } = await observe([...argv, ...flags], {})
    assert.is(status, without.status, said)
    assert.equal(
      said
        .split('\n')
        .filter((line) => line.includes(': no effect '))
        .map((line) => line.startsWith(words)),
      [true],
      said,
    )
  })
}

for (const form of ['json', 'quiet']) {
  test(`--progress ${form} has an effect on a client dry run: it does not say which files are used`, async () => {
    const without = await observe(['deploy', '--dry-run'], {})
    const { said } = await observe(['deploy', '--dry-run', '--progress', form], {})
    assert.match(without.said, 'using compose.yaml')
    assert.not.match(said, /using compose\.yaml|no effect/)
  })
}

for (const [value, status] of [
  ['true', 0],
  ['false', 5],
  ['perhaps', 2],
] as const) {
  for (const flag of [['--replace', value], [`--replace=${value}`]]) {
    test(`init ${flag.join(' ')}, where there is a manifest, ends with status ${status}`, async () => {
      const ran = await devtool(['init', ...flag], { files: { 'devtool.yml': 'name: shop\n' } })
      assert.is(ran.status, status, ran.stderr)
    })
  }
}

test('logs -f without a value follows, and with one names a file', async () => {
  const lines = { meddle: logLines }
  for (const argv of [
    ['logs', '-f'],
    ['logs', 'web', '-f'],
    ['logs', '-f', '--raw', 'web'],
  ]) {
    const { seen, status } = await observe(argv, { ...lines, isInterrupted: true })
    assert.is(status, 0, seen)
  }
  const { said, status } = await observe(['logs', '-f', 'web'], lines)
  assert.is(status, 3)
  assert.match(said, '`logs web -f` follows the service "web"')
  const mistake = await devtool(['logs', '-f', '--frobnicate'])
  assert.match(mistake.stderr, 'unknown flag "--frobnicate"')
})

test('short flags may stand in one word, the last with its value', async () => {
  for (const command of shown) {
    const { name } = command
    const flags = Object.values(command.flags).flatMap(({ arity, names }) =>
      names.flatMap((short) => (/^-[a-z]$/.test(short) ? [{ short, isSwitch: arity === 'Switch' }] : [])),
    )
    for (const { isSwitch, short } of flags) {
      for (const before of flags.filter((other) => other.isSwitch && other.short !== short)) {
        const value = isSwitch ? [] : ['x']
        const given = `${before.short}${short.slice(1)}${value.join('')}`
        assert.equal(spelledOut(command, [given, '--', given]), [before.short, short, ...value, '--', given], name)
      }
      if (!isSwitch) assert.equal(spelledOut(command, [`${short}x=y`]), [short, 'x=y'], name)
    }
  }
  const { stderr } = await devtool(['logs', '-nf', '--kubeconfig', '/absent'])
  assert.match(stderr, '/absent')
  assert.match((await devtool(['logs', '-wz'])).stderr, 'unknown flag "-wz"')
})

test('a number that begins with - is a value of a flag that may be repeated, too', async () => {
  assert.match((await devtool(['deploy', '--dry-run', '-f', '-1'])).stderr, 'file not found: -1')
})

test('logs --tail -1 prints all lines', async () => {
  const lines = { meddle: logLines }
  const all = await observe(['logs', '--tail', '-1'], lines)
  assert.is(all.seen, (await observe(['logs', '--tail=-1'], lines)).seen)
  assert.match(all.said, 'starting')
})

test.run()
