/** `deploy --dry-run --output files=FOLDER`, and golden folders. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { devtool, diskOf } from '../support/cli/cli.ts'

const named = 'name: shop\nservices:\n  web:\n    image: nginx:1\n    ports: ["80:80"]\n'
const dry = ['deploy', '--dry-run', '--namespace', 'demo', '--domain', 'example.com']
const kubernetes = [...dry, '-o', 'files=k8s']

test('-o files=FOLDER writes a folder that --golden compares with, file by file', async () => {
  const disk = diskOf({ 'compose.yaml': named })
  const wrote = await devtool(kubernetes, { disk })
  assert.equal([wrote.status, wrote.stdout], [0, ''], wrote.stderr)
  assert.match(wrote.stderr, / files changed in k8s$/m)
  assert.match((await devtool(kubernetes, { disk })).stderr, 'k8s is up to date')
  const golden = [...dry, '--golden', 'k8s']
  assert.is((await devtool(golden, { disk })).status, 0)
  for (const [path, entry] of diskOf({ 'compose.yaml': named.replace('nginx:1', 'nginx:2') })) disk.set(path, entry)
  const { status, stdout } = await devtool(golden, { disk })
  assert.is(status, 1)
  assert.match(stdout, /^--- k8s\/deployment-web\.yaml\n\+\+\+ now\n/)
  assert.match(stdout, /^-.*nginx:1"?\n\+.*nginx:2.* # from compose\.yaml:4$/m)
  assert.not.match(stdout, 'service-web')
  assert.match((await devtool([...golden, '--update'], { disk })).stderr, 'wrote k8s')
  assert.is((await devtool(golden, { disk })).status, 0)
})

test('a golden folder that does not exist yet is named with a trailing slash', async () => {
  const disk = diskOf({ 'compose.yaml': named })
  const golden = [...dry, '--golden', 'kept/']
  assert.is((await devtool(golden, { disk })).status, 1)
  assert.equal(
    [(await devtool([...golden, '--update'], { disk })).status, disk.has('kept/kustomization.yaml')],
    [0, true],
  )
  assert.is((await devtool(golden, { disk })).status, 0)
})

test('-o files=FOLDER works with several files, standard input and manifests', async () => {
  const base = 'name: shop\nservices:\n  web: {image: "nginx:1"}\n'
  const more = 'services:\n  web: {image: "nginx:2"}\n'
  for (const [args, files] of [
    [['-f', 'a.yaml', '-f', 'b.yaml'], { 'a.yaml': base, 'b.yaml': more }],
    [['-f', '-'], { '<stdin>': base.replace('nginx:1', 'nginx:2') }],
    [['-f', 'devtool.yml'], { 'devtool.yml': 'name: shop\ndeploy: {compose: c.yaml}\n', 'c.yaml': more }],
  ] as const) {
    const disk = diskOf(files)
    const { status, stderr } = await devtool([...kubernetes, ...args], { disk })
    assert.is(status, 0, stderr)
    const entry = disk.get('k8s/deployment-web.yaml')
    assert.match(entry?._tag === 'File' ? Buffer.from(entry.bytes).toString() : '', 'nginx:2')
  }
})

test('-o files=FOLDER exits with 7 and writes nothing if a file that devtool did not write is in the way', async () => {
  const files = { 'compose.yaml': named, 'k8s/service-web.yaml': 'kind: Service\n' }
  const disk = diskOf(files)
  const { status, stderr } = await devtool(kubernetes, { disk })
  assert.is(status, 7)
  assert.match(stderr, 'DT2007: k8s/service-web.yaml')
  assert.equal([...disk.keys()], Object.keys(files))
})

test('-o files=FOLDER writes nothing when the input has errors', async () => {
  const disk = diskOf({ 'compose.yaml': 'services:\n  web: {imag: x}\n' })
  assert.is((await devtool(kubernetes, { disk })).status, 3)
  assert.is(disk.size, 1)
})

test.run()
