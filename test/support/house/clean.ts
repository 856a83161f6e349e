/** A small source tree that obeys all structure rules, but is as close to breaking each as allowed. */

/** Path to text. */
export type Tree = Readonly<Record<string, string>>

/** The script of package.json that has to report it. */
export type Owner = 'lint' | 'structure' | 'unused'
/**
 * The rule broken, the file and its content, the script that reports it, and its words or the name of the lint rule.
 */
export type Violation = readonly [title: string, file: string, text: string, owner: Owner, words: string]

export const manifest = {
  name: 'house',
  type: 'module',
  dependencies: { diff: '*', 'fp-ts': '*', 'io-ts': '*', 'js-yaml': '*' },
  devDependencies: { uvu: '*' },
}

export const clean: Tree = {
  'package.json': JSON.stringify(manifest),
  'src/index.ts': "export { text } from './domain/text.ts'\n",
  'src/domain/text.ts':
    "import type { Either } from 'fp-ts/lib/Either.js'\nexport const text = (either: Either<string, string>): string => either._tag\n",
  'src/domain/plan/action.ts':
    "type Members = { readonly Apply: unknown; readonly Await: unknown }\nexport const isApply = (tag: keyof Members): boolean => tag === 'Apply'\n",
  'src/domain/codec.ts': "import * as t from 'io-ts'\nexport const Name = t.string\n",
  'src/domain/yaml/read.ts':
    "import { load } from 'js-yaml'\nexport const read = (input: string): unknown => load(input)\n",
  'src/domain/print/diff.ts':
    "import { diffLines } from 'diff'\nexport const changes = (a: string, b: string): number => diffLines(a, b).length\n",
  'src/ports/clock.ts':
    "import type { text } from '../domain/text.ts'\nexport type Clock = { readonly now: () => ReturnType<typeof text> }\n",
  'src/app/deploy.ts':
    "import type { Clock } from '../ports/clock.ts'\nexport const deploy = (clock: Clock): string => clock.now()\n",
  'src/adapters/http/agent.ts': "export const agent = 'agent'\n",
  'src/adapters/system/now.ts': 'export const now = (): string => String(process.uptime())\n',
  'src/adapters/system/clock.ts':
    "import { agent } from '../http/agent.ts'\nimport { now } from './now.ts'\nimport type { Clock } from '../../ports/clock.ts'\nexport const clock: Clock = { now: () => now() + agent }\n",
  'src/cli/wire.ts': "export const wire = async () => (await import('../adapters/system/clock.ts')).clock\n",
  'src/cli/main.ts': [
    "import { deploy } from '../app/deploy.ts'",
    "import { Name } from '../domain/codec.ts'",
    "import { isApply } from '../domain/plan/action.ts'",
    "import { changes } from '../domain/print/diff.ts'",
    "import { read } from '../domain/yaml/read.ts'",
    "import { wire } from './wire.ts'",
    'void wire().then((clock) => [deploy(clock), isApply("Await"), Name.is(read(String(changes("a", "b"))))])',
    '',
  ].join('\n'),
  'scripts/build.ts': "import { root } from '../test/support/root.ts'\nprocess.stdout.write(root)\n",
  'test/support/root.ts': "export const root = '.'\n",
  'test/unit/text.test.ts': "import { test } from 'uvu'\ntest('holds', () => undefined)\ntest.run()\n",
}
