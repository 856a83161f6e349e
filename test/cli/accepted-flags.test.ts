/** Which flags a command takes: those of the reference in each of its modes, and none of another command. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { installed } from '../../src/cli/installed.ts'
import { devtool } from '../support/cli/cli.ts'
import { parser } from '../support/cli/parsed.ts'
import { referenceFlags } from '../support/flags/reference.ts'
import { observe } from '../support/flags/world.ts'

const shown = installed.map(({ command }) => command).filter(({ isHidden = false }) => !isHidden)
const allFlags = shown.flatMap(({ flags }) => Object.values(flags))
const longFlags = new Map(
  allFlags.flatMap(({ arity, names }) => names.filter((name) => /^-.{2}/.test(name)).map((name) => [name, arity])),
)

for (const { flags, name } of shown) {
  const own = new Set(Object.values(flags).flatMap(({ names }) => names))
  const foreign = [...longFlags].flatMap(([flag, arity]) =>
    own.has(flag) ? [] : [[...name.split(' '), flag, ...(arity === 'Switch' ? [] : ['x'])]],
  )
  test(`${name} refuses every flag that only other commands have`, async () => {
    const isAccepted = await parser(name)
    assert.equal(foreign.filter(isAccepted), [])
    const [words = []] = foreign
    const { status, stderr, stdout } = await devtool(words)
    assert.equal([status, stdout], [2, ''])
    assert.match(stderr, `unknown flag "${words.find((word) => word.startsWith('--'))}"`)
  })
}

/** Of commands in which a flag may have an effect in one mode only. */
const modes: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>> = {
  build: [['--registry', 'r.test'], ['--check'], ['--load'], ['-f', 'Dockerfile', '--tag', 'r.test/a:1']],
  deploy: [['--yes'], ['--dry-run'], ['--dry-run=server'], ['--diff'], ['--dry-run', '--golden', 'golden.yaml']],
  destroy: [['--yes'], ['--yes', '--all'], ['--dry-run']],
  doctor: [[], ['--check']],
  logs: [['--no-follow'], ['--no-follow', '--all'], ['--previous']],
}

const values: Readonly<Record<string, string>> = {
  '--cache-from': 'r.test/cache',
  '--context': 'test',
  '--exclude': 'debug',
  '--export-cache': 'r.test/cache',
  '--file': 'other.yaml',
  '--loglevel': 'info',
  '--name': 'shop',
  '--namespace': 'demo',
  '--secret': 'id=pw,src=prod.env',
  '--since': '1h',
  '--tail': '5',
  '--timeout': '5s',
  '--var': 'STACK=blog',
  '-f': 'Dockerfile',
}

for (const [name, lines] of Object.entries(modes)) {
  for (const line of lines) {
    test(`${[name, ...line].join(' ')} accepts every flag of the reference`, async () => {
      for (const flag of referenceFlags[name] ?? []) {
        const value = values[flag] === undefined ? [] : [values[flag]]
        const { said, status } = await observe([name, ...line, flag, ...value], {})
        assert.is.not(status, 2, `${flag}: ${said}`)
      }
    })
  }
}

test.run()
