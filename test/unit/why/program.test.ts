/** What is said of a program that cannot be run, from the ConfigMap that holds it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeBase64Text } from '../../../src/domain/text/base64.ts'
import { heldFile, readHeld } from '../../../src/domain/why/program.ts'
import { live, pod } from '../../support/why/lives.ts'

const test = suite('program')

const mounts = [
  { name: 'data', mountPath: '/app/data' },
  { name: 'script', mountPath: '/entrypoint.sh', subPath: 'entrypoint.sh' },
  { name: 'part', mountPath: '/part', subPath: 'below' },
  { name: 'app', mountPath: '/app' },
  { name: 'tools', mountPath: '/tools' },
  { name: 'key', mountPath: '/key' },
]
const web = pod('web-1', 'set-web-2', {
  spec: {
    initContainers: [{ name: 'prepare', volumeMounts: [{ name: 'app', mountPath: '/prepare' }] }],
    containers: [{ name: 'web', volumeMounts: mounts }],
    volumes: [
      { name: 'data', emptyDir: {} },
      { name: 'script', configMap: { name: 'web-files' } },
      { name: 'part', configMap: { name: 'web-part' } },
      { name: 'app', configMap: { name: 'web-app' } },
      { name: 'tools', configMap: { name: 'web-tools', items: [{ key: 'tool.sh', path: 'bin/tool' }] } },
      { name: 'key', secret: { secretName: 'web-key' } },
    ],
  },
})

for (const [container, path, expected] of [
  ['web', '/entrypoint.sh', 'web-files entrypoint.sh'],
  ['web', '/app/start', 'web-app start'],
  ['web', '/tools/bin/tool', 'web-tools tool.sh'],
  ['prepare', '/prepare/start', 'web-app start'],
  ['web', '/prepare/start', undefined],
  ['web', '/part/start', undefined],
  ['web', '/key/start', undefined],
  ['web', '/application', undefined],
  ['other', '/app/start', undefined],
] as const) {
  test(`${path} of ${container} is ${expected === undefined ? 'in no ConfigMap' : `in ${expected}`}`, () => {
    const found = heldFile(web, container, path)
    assert.is(found === undefined ? undefined : `${found.configMap} ${found.key}`, expected)
  })
}

const metadata = { name: 'web-app', uid: 'a', resourceVersion: '1' }
const holding = (content: object) => live({ apiVersion: 'v1', kind: 'ConfigMap', metadata, ...content })

for (const [content, expected] of [
  ['#!/bin/sh\r\nexec x\r\n', 'the first line of /start ends in CRLF'],
  ['#! /bin/sh -e\r\nexec x\r\n', 'the first line of /start ends in CRLF'],
  ['#!/bin/sh\nexec x\r\n', 'the interpreter of /start, /bin/sh, is not in the image'],
  ['#!/usr/bin/python3 -u', 'the interpreter of /start, /usr/bin/python3, is not in the image'],
  ['exec x\n', undefined],
  ['', undefined],
] as const) {
  test(`what ${JSON.stringify(content)} says of a program`, () => {
    assert.is(readHeld(holding({ data: { start: content } }), '/start', 'start')?.message, expected)
    assert.is(readHeld(holding({ data: { start: content } }), '/start', 'other'), undefined)
  })
}

test('a program for another C library is told from a script', () => {
  const binaryData = { start: encodeBase64Text('\u007fELF\u0002\u0001\u0001'), other: encodeBase64Text('text') }
  assert.match(readHeld(holding({ binaryData }), '/start', 'start')?.message ?? '', /^the C library that \/start /)
  assert.is(readHeld(holding({ binaryData }), '/start', 'other'), undefined)
})

test.run()
