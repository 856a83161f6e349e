import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { dryRun } from '../../../src/app/project/dry-run.ts'
import { manifestFolders } from '../../../src/app/project/manifest-folders.ts'
import { showDryRun } from '../../../src/cli/view/dry-run.ts'
import { showPlanDocument } from '../../../src/cli/view/plan-document.ts'
import { viewed } from '../../../src/cli/view/view.ts'
import { memoryFiles, text } from '../../memory/files.ts'
import { memoryPlainFolders } from '../../memory/plain-folders.ts'

const files = {
  'devtool.yml': `
build:
  base: {context: base, target: prod}
services:
  web: {build: {context: ./web, dockerfile: Dev, tags: [r.example.com/web:1]}}
  inline: {build: {dockerfile_inline: FROM scratch}, image: "r.example.com/inline:1"}
`,
}

const run = async (form: 'yaml' | 'plan' | 'json') => {
  const entries = new Map(Object.entries(files).map(([path, content]) => [path, text(content)]))
  const disk = memoryFiles(entries)
  const result = await dryRun(
    { files: disk, writer: disk, plainFolders: memoryPlainFolders(entries) },
    async () => manifestFolders,
  )({
    wanted: {
      cwd: '/home/dev/shop',
      files: [],
      guess: 'shop',
      given: new Map(),
      shell: new Map(),
      separator: ':',
      services: [],
      settings: { registry: 'registry.example.com', namespace: 'dev' },
      isConfined: false,
      isStrict: false,
    },
    withOrigins: form === 'plan',
    showSecrets: false,
    reports: [],
    version: '0.0.0',
  })
  const { findings, output: printed } = viewed(result, (planned) =>
    form === 'json' ? showPlanDocument(planned, false) : showDryRun(form, planned, false),
  )
  const whole = typeof printed === 'string' ? printed : [...(printed ?? [])].join('')
  return { findings, printed: whole }
}

test('a dry run lists what would be built, and under which names', async () => {
  const { findings } = await run('yaml')
  const notes = findings.filter(({ code }) => code === 'DT4050')
  assert.equal(
    notes.map(({ at, message, severity }) => [severity, at?.line, message]),
    [
      ['note', 3, 'build.base: built from base by Dockerfile, stage prod: registry.example.com/shop-base:dev'],
      ['note', 5, 'services.web.build: built from web by Dev: registry.example.com/shop-web:dev, r.example.com/web:1'],
      ['note', 6, 'services.inline.build: built from . by the Dockerfile written there: r.example.com/inline:1'],
    ],
  )
})

test('the plan begins with what is built', async () => {
  const { printed } = await run('plan')
  assert.equal(printed.split('\n').slice(0, 5), [
    'build',
    '  build  base -> registry.example.com/shop-base:dev  # devtool.yml:3',
    '  build  web -> registry.example.com/shop-web:dev    # devtool.yml:5',
    '  build  inline -> r.example.com/inline:1            # devtool.yml:6',
    'stage 1',
  ])
})

test('the JSON document has the images', async () => {
  const document: unknown = JSON.parse((await run('json')).printed)
  assert.ok(typeof document === 'object' && document !== null && 'images' in document)
  assert.equal(document.images, [
    {
      name: 'base',
      context: 'base',
      dockerfile: 'Dockerfile',
      target: 'prod',
      names: ['registry.example.com/shop-base:dev'],
    },
    {
      name: 'web',
      context: 'web',
      dockerfile: 'Dev',
      names: ['registry.example.com/shop-web:dev', 'r.example.com/web:1'],
    },
    { name: 'inline', context: '.', dockerfile: '(inline)', names: ['r.example.com/inline:1'] },
  ])
})

test.run()
