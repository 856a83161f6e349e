import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toYaml, translate } from '../../src/index.ts'
import { devtool } from '../support/cli/cli.ts'

const compose =
  'services:\n  web:\n    image: a:${TAG}\n    ports: ["80:80"]\n    labels: { "10": ten, "2": two }\n    secrets: [pw]\nsecrets:\n  pw:\n    file: pw.txt\n'
const files = { 'compose.yaml': compose, 'pw.txt': 'hunter2', '.env': 'TAG=1\n' }

test('the library and the command print the same bytes', async () => {
  const { diagnostics, plan } = translate({ files, name: 'shop' })
  assert.equal(diagnostics, [])
  assert.ok(plan)
  const printed = await devtool(['deploy', '--dry-run', '--name', 'shop'], { files })
  assert.is(toYaml(plan), printed.stdout)
  const shown = await devtool(['deploy', '--dry-run', '--name', 'shop', '--show-secrets'], { files })
  assert.is(toYaml(plan, { showSecrets: true }), shown.stdout)
})

test('objects are plain data', () => {
  const { objects } = translate({ files: new Map(Object.entries(files)), environment: { TAG: '2' } })
  const [web] = JSON.parse(JSON.stringify(objects.filter(({ kind }) => kind === 'Deployment')))
  assert.is(web.spec.template.spec.containers[0].image, 'a:2')
  assert.is(web.metadata.labels['dev.devtool/environment'], 'app')
  assert.equal(Object.entries(web.metadata.annotations), [
    ['2', 'two'],
    ['10', 'ten'],
  ])
  assert.ok(objects.some(({ kind }) => kind === 'Secret'))
})

test('objects are made once, and are part of a copy', () => {
  const output = translate({ files })
  assert.is(output.objects, output.objects)
  assert.equal(JSON.parse(JSON.stringify({ ...output })).objects, JSON.parse(JSON.stringify(output.objects)))
})

test('errors are returned as data', () => {
  const { diagnostics, objects, plan } = translate({
    files: { 'a.yaml': 'services: { web: { imag: x } }' },
    file: 'a.yaml',
  })
  assert.equal([objects, plan], [[], undefined])
  assert.ok(diagnostics.some(({ at, code }) => code === 'DT1004' && at?.file === 'a.yaml'))
  assert.is(translate({ files: {} }).diagnostics[0]?.code, 'DT1042')
  const bytes = new TextEncoder().encode('services: { web: { image: a } }')
  assert.is(translate({ files: { 'x/a.yaml': bytes }, file: './x/a.yaml' }).objects.length, 2)
})

test.run()
