/** Commands in messages work when they are typed as they are printed, wherever the user stands. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { completeCommand, completePorts, completeText, type Reach } from '../../src/cli/advice.ts'
import type { FlagArgument } from '../../src/cli/flags/flag.ts'
import { remark } from '../../src/domain/diagnostic/diagnostic.ts'
import { memoryConsole } from '../memory/console.ts'
import { memoryProgress } from '../memory/progress.ts'
import { devtool } from '../support/cli/cli.ts'
import { isParsed } from '../support/cli/parsed.ts'

const root = new URL('../golden', import.meta.url).pathname
const goldens = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.txt'))
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

const commandsIn = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...text.matchAll(/`(devtool [^`\n]+)`|^ {2}next {4}(devtool .+)$/gm)].map(([, inText = '', next = '']) =>
    `${inText}${next}`.split(' ').filter((word) => word !== ''),
  )

test('the command line parser accepts every command that a golden prints', async () => {
  const commands = goldens.flatMap((file) => commandsIn(textOf(file)).map((words) => ({ file, words })))
  assert.ok(commands.length > 20)
  const wrong = []
  for (const { file, words } of commands) if (!(await isParsed(words))) wrong.push(`${file}: ${words.join(' ')}`)
  assert.equal(wrong, [])
})

/** The flags of the first line of a golden of a command. */
const givenIn = (text: string): ((key: string) => FlagArgument) => {
  const words = text.split('\n', 1)[0]?.split(' ') ?? []
  const after = (names: ReadonlyArray<string>): string | undefined => {
    const at = words.findIndex((word) => names.includes(word))
    return at === -1 ? undefined : words[at + 1]
  }
  const known = new Map(
    [['--name'], ['--context'], ['--kubeconfig'], ['-n', '--namespace']].map((names) => [
      names.at(-1)?.slice(2),
      after(names),
    ]),
  )
  const file = after(['-f', '--file'])
  return (key) => (key === 'file' && file !== undefined ? [file] : known.get(key))
}

test('every command that a golden prints has the flags of the command that printed it', () => {
  const lacking = goldens
    .filter((file) => textOf(file).startsWith('$ devtool '))
    .flatMap((file) => {
      const given = givenIn(textOf(file))
      return commandsIn(textOf(file)).flatMap((words) =>
        completeCommand({ given }, words).length === words.length ? [] : [`${file}: ${words.join(' ')}`],
      )
    })
  assert.equal(lacking, [])
})

const given =
  (flags: Readonly<Record<string, FlagArgument>>) =>
  (key: string): FlagArgument =>
    flags[key]

test('flags that were given are repeated, once, and only where the command takes them', () => {
  const [files, config] = ['--file a.yaml --file b.yaml', String.raw`--kubeconfig 'it'\''s.yaml'`]
  const reach = {
    given: given({ name: 'shop', namespace: 'team', kubeconfig: "it's.yaml", file: ['a.yaml', 'b.yaml'] }),
    kubectlContext: 'far',
  }
  assert.is(
    completeText(reach, 'run `devtool why` or `devtool logs web --name other`, then `kubectl get pods`'),
    [
      `run \`devtool why ${files} --name shop --namespace team ${config}\``,
      `or \`devtool logs web --name other --namespace team ${config}\`,`,
      `then \`kubectl get pods --context far ${config}\``,
    ].join(' '),
  )
  assert.is(completeText(reach, 'see `devtool explain DT1012`'), 'see `devtool explain DT1012`')
})

test('flags that name files are repeated in commands for the same environment, not in those for another one', () => {
  const reach = { given: given({ name: 'shop', namespace: 'team', file: ['a.yaml'], envFile: ['.env'] }) }
  assert.is(
    completeText(reach, '`devtool destroy --name shop` and `devtool destroy --name billing`'),
    '`devtool destroy --name shop --file a.yaml --env-file .env --namespace team` and `devtool destroy --name billing --namespace team`',
  )
})

test('commands printed while a command runs are completed, with the context that is known by then', () => {
  const [progress, console] = [memoryProgress(), memoryConsole()]
  let reach: Reach = { given: given({ namespace: 'team' }) }
  const ports = completePorts(() => reach, { progress, console })
  const diagnostic = remark('DT5013', 'later', { help: '`kubectl get pods`' })
  ports.progress.tell({ _tag: 'Found', diagnostic })
  reach = { ...reach, kubectlContext: 'far' }
  ports.progress.tell({ _tag: 'Found', diagnostic })
  ports.progress.tell({ _tag: 'Said', text: '`devtool down web` ends it' })
  ports.progress.tell({ _tag: 'Ended', exitStatus: 1, findings: [diagnostic] })
  ports.console.say('`devtool restart web` applies it')
  const far = '`kubectl get pods --context far`'
  assert.equal(
    progress.events().map((event) => {
      if (event._tag === 'Found') return event.diagnostic.help
      if (event._tag === 'Ended') return event.findings[0]?.help
      return event._tag === 'Said' ? event.text : undefined
    }),
    ['`kubectl get pods`', far, '`devtool down web --namespace team` ends it', far],
  )
  assert.equal(console.said, ['`devtool restart web --namespace team` applies it'])
})

test('every command in the advice of a golden is in backticks, so that it can be completed', () => {
  const bare =
    /(?<![`\w.-])(?:devtool|kubectl) (?:annotate|apply|create|delete|deploy|destroy|down|exec|get|logs|restart|up|why) /
  const advice = goldens.flatMap((file) => textOf(file).match(/^ *help: .*/gm) ?? [])
  assert.ok(advice.length > 100)
  assert.equal(
    advice.filter((line) => bare.test(line)),
    [],
  )
})

test('commands printed for a cluster that was chosen by flags work with that cluster', async () => {
  const { stderr } = await devtool(['why', '--name', 'shop', '-n', 'default', '--kubeconfig', 'far.yaml'])
  assert.match(stderr, '`devtool list --namespace default --kubeconfig far.yaml`')
})

test.run()
