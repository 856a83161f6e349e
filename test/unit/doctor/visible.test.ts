/** Nothing in a report acts on a terminal or hides itself, wherever the text came from; and only its owner can read it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeFiles } from '../../../src/adapters/node-fs/files.ts'
import { nodeWriter } from '../../../src/adapters/node-fs/writer.ts'
import { doctorOffline } from '../../../src/app/inspect/doctor.ts'
import type { Json } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { bundle } from '../../../src/domain/doctor/bundle.ts'
import { zipOf } from '../../../src/domain/environment/archive.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryHome } from '../../memory/home.ts'

/** A colour, a C1 control sequence, a change of direction, a tag, a space without width, a command of a code host. */
const hostile = '\u001b[31m\u009b2J\u202e\u{e0041}\u200b\u2028##[error]'
// oxlint-disable-next-line no-control-regex -- it is what must not be there
const acting =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]|##\[/u

const poisoned = (json: Json): Json => {
  if (typeof json === 'string') return `${json}${hostile}`
  if (Array.isArray(json)) return json.map(poisoned)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => (value === undefined ? [] : [[key, poisoned(value)]])),
  )
}

/** Keys that people choose, as well. */
const pod: ClusterObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `web${hostile}`,
    namespace: 'demo',
    uid: 'u',
    resourceVersion: '1',
    labels: { [`a${hostile}`]: `b${hostile}` },
  },
  spec: poisoned({
    containers: [{ name: 'web', image: 'a', env: [{ name: 'A', value: 'b' }], command: ['run'], args: ['--all'] }],
  }),
  status: poisoned({ phase: 'Running', conditions: [{ type: 'Ready', reason: 'r', message: 'm' }] }),
}

const event: ClusterObject = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: 'demo', uid: 'v', resourceVersion: '1' },
  involvedObject: poisoned({ kind: 'Pod', name: 'web' }),
  type: poisoned('Warning'),
  reason: poisoned('BackOff'),
  message: poisoned('no'),
  lastTimestamp: poisoned('t'),
}

const compose = `# ${hostile}
name: shop
services:
  "web\\u202e\\U000E0041\\x9b":
    image: "a\\u202e\\x9b"
    labels: {"b\\u202e": "c\\x9b", d: e\u202e}
`

const text = (name: string): string => `${name}${hostile}`

const members = bundle({
  facts: {
    date: text('2026'),
    version: text('1'),
    node: text('v22'),
    os: text('linux'),
    arch: text('x64'),
    environment: text('shop'),
    context: text('lab'),
    namespace: text('demo'),
    cluster: text('v1.34'),
  },
  manifests: new Map([
    [`web/${hostile}.yaml`, compose],
    [text('bad'), `a: [${hostile}`],
  ]),
  objects: [pod],
  events: [event],
  logs: [{ pod: text('web'), container: text('web'), isPrevious: true, lines: [text('line'), hostile] }],
  toolLogs: new Map([[text('tool'), text('GET /api')]]),
  syncLogs: new Map([[text('sync'), text('sent')]]),
  developments: [text('web')],
  secrets: [],
  troubles: [text('pods')],
})

test('no name and no text of a member has a character that acts or hides, wherever it came from', () => {
  assert.is(members.size, 9)
  for (const [path, content] of members) {
    assert.match(path, /^[\w./-]+$/)
    const [found] = acting.exec(content) ?? []
    assert.is(found === undefined ? undefined : JSON.stringify(found), undefined, path)
  }
})

test('the same holds for the members of the archive', () => {
  for (const [path, bytes] of Object.entries(unzipSync(zipOf(members)))) {
    assert.match(path, /^[\w./-]+$/)
    assert.not.match(strFromU8(bytes), acting, path)
  }
})

test('only its owner can read the report, whatever the umask', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
  const umask = process.umask(0)
  try {
    writeFileSync(join(folder, 'compose.yaml'), 'services: {web: {image: a}}\n')
    const files = nodeFiles(folder, () => process.stdin)
    const ports = { clock: memoryClock(), files, home: memoryHome(), writer: nodeWriter(folder) }
    const facts = { version: '1', node: 'v22', os: 'linux', arch: 'x64' }
    await doctorOffline(ports)({ environment: 'shop', facts, files: [] })
    const [zip = ''] = readdirSync(folder).filter((name) => name.endsWith('.zip'))
    assert.is(statSync(join(folder, zip)).mode & 0o777, 0o600)
    assert.ok(Object.keys(unzipSync(readFileSync(join(folder, zip)))).includes('manifest/compose.yaml'))
  } finally {
    process.umask(umask)
    rmSync(folder, { recursive: true })
  }
})

test.run()
