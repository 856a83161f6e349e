import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type CommandsInput, commandsVerdict } from '../../../src/domain/destroy/commands.ts'
import { emptyRecord } from '../../../src/domain/environment/record.ts'
import type { EnvironmentSource } from '../../../src/domain/environment/source.ts'

const source = { files: ['devtool.yml'], folder: '', repository: 'github.com/acme/shop', commit: '1a2b3c4' }
const backup = { name: 'backup', command: 'pg_dump\n\u001b[2Jrm -rf /' }
const bare = { ...emptyRecord('shop'), source }
const record = { ...bare, destroyCommands: [backup] }
const present = { commands: [backup], source: { ...source, commit: '5d6e7f8' } }
const others = { ...source, files: ['other.yml'] }
const at = (place: Partial<EnvironmentSource>) => ({ present: { ...present, source: { ...source, ...place } } })
const desk = { files: ['devtool.yml'], folder: '/home/me/shop', machine: 'desk' }
const base: CommandsInput = { environment: 'shop', isThere: true, record, present, skips: false }

const cases: ReadonlyArray<readonly [string, Partial<CommandsInput>, 'Run' | 'None' | 'keeps' | 'forgets']> = [
  ['the manifest is here', {}, 'Run'],
  ['the manifest is here, the record is lost', { record: undefined }, 'Run'],
  ['the manifest is here, the record cannot be read', { record: 'Unreadable' }, 'forgets'],
  [
    'the record cannot be read, and the manifest has no commands',
    { record: 'Unreadable', present: { ...present, commands: [] } },
    'None',
  ],
  ['the record cannot be read, and no manifest is here', { record: 'Unreadable', present: undefined }, 'None'],
  ['the manifest has commands that were not recorded', { record: bare }, 'Run'],
  ['the manifest no longer has commands', { present: { ...present, commands: [] } }, 'None'],
  ['there was never such an environment', { isThere: false, record: undefined }, 'None'],
  ['no manifest is here', { present: undefined }, 'keeps'],
  ['no manifest is here, and there are no commands', { present: undefined, record: bare }, 'None'],
  ['no manifest is here, and no record', { present: undefined, record: undefined }, 'None'],
  ['the manifest is another one', { present: { ...present, source: others } }, 'keeps'],
  ['another manifest without commands', { present: { commands: [], source: others } }, 'keeps'],
  ['the manifest is of another repository', at({ repository: 'github.com/acme/api' }), 'keeps'],
  ['the manifest is in another folder of the repository', at({ folder: 'api' }), 'keeps'],
  ['the manifest is in no repository', { present: { ...present, source: desk } }, 'keeps'],
  [
    'only the manifest of another repository has some',
    { ...at({ repository: 'github.com/acme/api' }), record: bare },
    'None',
  ],
  [
    'they are not wanted, and only the manifest of another repository has some',
    { ...at({ repository: 'github.com/acme/api' }), record: bare, skips: true },
    'None',
  ],
  [
    'the same folder of the same machine',
    { record: { ...record, source: desk }, present: { ...present, source: desk } },
    'Run',
  ],
  ['the manifest is made of the record', { present: { ...present, source: 'Record' } }, 'Run'],
  ['they are not wanted', { skips: true }, 'forgets'],
  ['they are not wanted, and no manifest is here', { skips: true, present: undefined }, 'forgets'],
  ['they are not wanted, and only the manifest has some', { skips: true, record: bare }, 'forgets'],
  ['they are not wanted, and there are none', { skips: true, record: bare, present: undefined }, 'None'],
]

for (const [title, change, expected] of cases) {
  test(`destroy commands: ${title}`, () => {
    const verdict = commandsVerdict({ ...base, ...change })
    const shown = verdict._tag === 'NotRun' ? (verdict.keepsRecord ? 'keeps' : 'forgets') : verdict._tag
    assert.is(shown, expected)
  })
}

test('destroy commands that do not run are printed as recorded, with their source and how to run them', () => {
  const verdict = commandsVerdict({ ...base, present: undefined })
  const [found] = verdict._tag === 'NotRun' ? verdict.findings : []
  assert.is(found?.code, 'DT3180')
  assert.is(
    found?.message,
    'its manifest is not here, so the destroy commands of "shop", deployed from github.com/acme/shop at commit 1a2b3c4, were not run',
  )
  assert.is(
    found?.help,
    [
      '  backup:',
      '    pg_dump',
      '    \\x1b[2Jrm -rf /',
      'they stay recorded, with the variables of the last deploy, until they have run:',
      '`devtool destroy --name shop` runs them where their manifest is, `devtool destroy --name shop --skip-commands` forgets them',
    ].join('\n'),
  )
})

test.run()
