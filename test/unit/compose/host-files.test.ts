/** `--host-files=config`: files of the project that services mount become ConfigMaps, and nothing else does. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeFiles } from '../../../src/adapters/node-fs/files.ts'
import type { Entry } from '../../memory/files.ts'
import { type Disk, mounting, translated, translatedBy } from '../../support/compose/host-files.ts'

test('a file is mounted read-only from a ConfigMap, and the pod names its hash', async () => {
  const files = (text: string) => ({
    'compose.yaml': mounting('./nginx.conf:/etc/nginx/nginx.conf'),
    'nginx.conf': text,
  })
  const { maps, pods, said } = await translated(files('worker_processes 1;\n'))
  assert.equal(said, [])
  assert.match(maps, 'name: web-files')
  assert.match(maps, 'nginx.conf: |\n    worker_processes 1;')
  assert.match(pods, /mountPath: \/etc\/nginx\/nginx\.conf\n +subPath: nginx\.conf\n +readOnly: true/)
  const hash = /dev\.devtool\/config: (\S+)/.exec(pods)?.[1]
  const other = /dev\.devtool\/config: (\S+)/.exec((await translated(files('worker_processes 2;\n'))).pods)?.[1]
  assert.ok(hash !== undefined && other !== undefined && hash !== other)
})

test('a folder mounted read-only keeps its paths, content and executable files', async () => {
  const script: Entry = { _tag: 'File', bytes: Buffer.from('#!/bin/sh\n'), isExecutable: true }
  const { maps, pods, said } = await translated({
    'compose.yaml': mounting('./conf:/etc/app:ro'),
    'conf/a.conf': 'a',
    'conf/sub/b.conf': 'b',
    'conf/run.sh': script,
    'conf/logo.png': { _tag: 'File', bytes: Uint8Array.of(0x89, 0xff, 0) },
  })
  assert.equal(said, [])
  assert.match(maps, /binaryData:\n  logo\.png: "?if8A/)
  assert.match(pods, /- key: sub__b\.conf\n +path: sub\/b\.conf/)
  assert.match(pods, /- key: run\.sh\n +path: run\.sh\n +mode: 365/)
  assert.match(pods, /mountPath: \/etc\/app\n +readOnly: true/)
})

const untouched: ReadonlyArray<readonly [string, string, Disk, string]> = [
  ['a folder that is not read-only', './conf:/etc/app', { 'conf/a': 'a' }, 'a folder that is not mounted read-only'],
  ['the whole project', '.:/app:ro', { a: 'a' }, 'the project folder'],
  ['a file of another folder', '../other:/other:ro', { '../other': 'a' }, 'outside the project folder'],
  ['an absolute path outside', '/etc/hosts:/etc/hosts:ro', { '/etc/hosts': 'a' }, 'outside the project folder'],
  ['the home folder', '~/.ssh:/root/.ssh:ro', { '~/.ssh/config': 'a' }, 'outside the project folder'],
  [
    'a link that leads out',
    './link:/x:ro',
    { link: { _tag: 'Link', to: '../secret' }, '../secret': 'a' },
    'outside the',
  ],
  ['what is not there', './gone:/x:ro', {}, 'it does not exist'],
  ['a folder for data', './db:/var/lib/mysql', { 'db/x': 'a' }, 'data'],
  ['a pipe', './pipe:/x', { pipe: { _tag: 'Pipe' } }, 'not a file or folder'],
  ['variables', './.env:/app/.env:ro', { '.env': 'A=1' }, 'variables'],
  ['a private key', './tls.crt:/x', { 'tls.crt': '-----BEGIN RSA PRIVATE KEY-----\n' }, 'a private key'],
  ['a credential', './app.ini:/x', { 'app.ini': 'a=1\ndb_password = hunter2\n' }, 'a credential in line 2'],
  ['a password file', './db_password.txt:/x', { 'db_password.txt': 'x' }, 'a credential'],
  ['a large file', './big:/x', { big: 'x'.repeat(900 * 1024 + 1) }, '901 KiB of files, of which 900 KiB fit'],
  ['an ignored file', './a.local:/x', { 'a.local': 'x', '.gitignore': '*.local\n' }, 'ignored by git or .dockerignore'],
  [
    'a file that is ignored by Docker',
    './a.log:/x',
    { 'a.log': 'x', '.dockerignore': '**/*.log' },
    'ignored by git or',
  ],
]

for (const [what, volume, files, why] of untouched) {
  test(`${what} does not become a ConfigMap, and the warning says why`, async () => {
    const { maps, pods, said } = await translated({ 'compose.yaml': mounting(volume), ...files })
    assert.equal([maps, pods.includes('volumeMounts')], ['', false])
    assert.match(said.join('\n'), `the host volume ${volume.split(':')[0]} (${why}`)
  })
}

test('a folder in which something else is mounted does not become a ConfigMap', async () => {
  const { maps, said } = await translated({
    'compose.yaml': `${mounting('./conf:/etc/app:ro', 'cache:/etc/app/cache')}volumes: {cache: {}}\n`,
    'conf/a.conf': 'a',
  })
  assert.is(maps, '')
  assert.match(said.join(), 'something else is mounted beneath it')
})

test('build contexts do not become ConfigMaps', async () => {
  const compose = 'services:\n  web: {build: ./app, volumes: ["./app:/app:ro"]}\n'
  const { maps, said } = await translated({ 'compose.yaml': compose, 'app/Dockerfile': 'FROM scratch\n' })
  assert.is(maps, '')
  assert.match(said.join(), './app (the build context)')
})

test('a service can choose how its files are provided, including writable folders', async () => {
  const compose = (wish: string) =>
    `services:\n  web:\n    image: nginx\n    volumes: ["./conf:/etc/app"]\n    x-devtool-host-files: ${wish}\n`
  const files = (wish: string) => ({ 'compose.yaml': compose(wish), 'conf/a.conf': 'a' })
  assert.match((await translated(files('config'), 'unset')).maps, 'a.conf: a')
  assert.is((await translated(files('ignore'), 'config')).maps, '')
  assert.match((await translated(files('confg'))).said.join(), 'DT1018')
})

test('without the flag nothing is read, and the warning names it', async () => {
  const files = { 'compose.yaml': mounting('./nginx.conf:/etc/nginx/nginx.conf'), 'nginx.conf': 'x' }
  const { maps, said } = await translated(files, 'unset')
  assert.is(maps, '')
  assert.match(
    said.join(),
    'the host volume ./nginx.conf is not mounted / put the files into the image, use configs: or --host-files=config',
  )
})

test('files left out of a folder are named once per file', async () => {
  const { maps, said } = await translated({
    'compose.yaml': mounting('./conf:/etc/app:ro', './more:/etc/more:ro'),
    'conf/a.conf': 'a',
    'conf/.env': 'A=1',
    'conf/.git/config': 'x',
    'conf/tls/key.pem': '-----BEGIN PRIVATE KEY-----\n',
    'conf/ignored/b': 'b',
    'conf/loop': { _tag: 'Link', to: '.' },
    'conf/.gitignore': 'ignored/\n',
    'more/id_rsa': 'x',
    'more/c.conf': 'c',
  })
  assert.is(said.length, 1)
  const [message = ''] = said
  for (const part of [
    'conf/.env (variables)',
    'conf/.git (of git)',
    'conf/tls/key.pem (a private key)',
    'conf/ignored (ignored by git or .dockerignore)',
    'conf/loop (a link to a folder above it)',
    'more/id_rsa (a credential)',
    'secrets:',
  ]) {
    assert.match(message, part)
  }
  assert.match(maps, 'a.conf: a')
  assert.not.match(maps, 'PRIVATE KEY')
})

test('volumes_from includes the files of the other service', async () => {
  const compose = `${mounting('./nginx.conf:/etc/nginx/nginx.conf')}  more: {image: nginx, volumes_from: [web]}\n`
  const { maps, said } = await translated({ 'compose.yaml': compose, 'nginx.conf': 'x' })
  assert.is(maps.match(/kind: ConfigMap/g)?.length, 1)
  assert.equal(said, [])
})

test('files with the same name are kept apart', async () => {
  const { maps, pods } = await translated({
    'compose.yaml': mounting('./a/x.conf:/a/x.conf', './b/x.conf:/b/x.conf', './c:/c:ro'),
    'a/x.conf': 'of a',
    'b/x.conf': 'of b',
    'c/x.conf': 'of c',
    'c/ü ü': 'of c, too',
    'c/__': 'underscores',
  })
  for (const text of ['of a', 'of b', 'of c', 'of c, too', 'underscores']) assert.match(maps, text)
  assert.is(new Set([...pods.matchAll(/subPath: (\S+)/g)].map(([, key]) => key)).size, 2)
})

test('DEVTOOL_HOST_FILES does the same as the flag, which takes precedence', async () => {
  const files = { 'compose.yaml': mounting('./a.conf:/a.conf'), 'a.conf': 'a', '.env': 'DEVTOOL_HOST_FILES=config\n' }
  assert.match((await translated(files, 'unset')).maps, 'a.conf: a')
  assert.is((await translated(files, 'ignore')).maps, '')
  const wrong = await translated({ ...files, '.env': 'DEVTOOL_HOST_FILES=all\n' }, 'unset')
  assert.match(wrong.said.join('\n'), 'DT2001 DEVTOOL_HOST_FILES: "all" is unknown')
})

test('on a disk, links cannot leave the project, and the enclosing repository says what is ignored', async () => {
  const base = mkdtempSync(join(tmpdir(), 'host-files-'))
  try {
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(base, path)), { recursive: true })
      writeFileSync(join(base, path), text)
    }
    write('.git/info/exclude', 'app/conf/excluded\n')
    write('.gitignore', 'local.conf\n')
    write('outside.conf', 'outside')
    write('app/compose.yaml', mounting('./conf:/etc/app:ro'))
    for (const name of ['ok.conf', 'local.conf', 'excluded']) write(`app/conf/${name}`, 'text')
    symlinkSync('ok.conf', join(base, 'app/conf/alias.conf'))
    symlinkSync('../../outside.conf', join(base, 'app/conf/out.conf'))
    const { maps, said } = await translatedBy(
      nodeFiles(join(base, 'app'), () => process.stdin),
      'config',
    )
    assert.match(maps, 'data:\n  alias.conf: text\n  ok.conf: text\n')
    const reasons = ['excluded and conf/local.conf (ignored', 'out.conf (outside the project folder']
    for (const reason of reasons) assert.match(said.join(), `conf/${reason}`)
  } finally {
    rmSync(base, { recursive: true })
  }
})

test.run()
