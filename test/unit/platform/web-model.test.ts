/** What the pages make of answers of the API. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SLEEPING } from '../../../src/domain/rollout/asleep.ts'
import { sentence } from '../../../src/domain/text/sentence.ts'
import { repositoryLink, shortLink, webLink } from '../../../src/web/model/links.ts'
import { environmentState, namespaceState, runNote, serviceState } from '../../../src/web/model/states.ts'
import { agoOf, plural, proseOf, shortImage, sleeps, spanOf, summaryOf } from '../../../src/web/model/summary.ts'

test('only URLs with http and https become links', () => {
  assert.is(webLink('https://shop.example.com/a?b'), 'https://shop.example.com/a?b')
  assert.is(webLink('http://shop.example.com'), 'http://shop.example.com/')
  for (const text of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    'shop.example.com',
    '',
    '//x',
  ]) {
    assert.is(webLink(text), undefined, text)
  }
})

test('a repository with a host becomes a link', () => {
  assert.is(repositoryLink('github.com/acme/shop'), 'https://github.com/acme/shop')
  assert.is(repositoryLink('https://git.example.com:8443/shop.git'), 'https://git.example.com:8443/shop')
  for (const text of ['shop', '/home/ann/shop', 'github.com', 'evil.example.com/a b', 'a@b.example.com/x'])
    assert.is(repositoryLink(text), undefined, text)
})

test('links are shown without their scheme', () => {
  assert.is(shortLink('https://shop.example.com/'), 'shop.example.com')
  assert.is(shortLink('http://shop.example.com/api'), 'shop.example.com/api')
})

test('states are shown as words, including unknown ones', () => {
  assert.equal(serviceState('progressing', false), { tone: 'busy', text: 'Starting' })
  assert.equal(serviceState('progressing', true), { tone: 'bad', text: 'Not starting' })
  assert.equal(serviceState('developed', false), { tone: 'dev', text: 'In development' })
  assert.equal(serviceState('paused', false), { tone: 'quiet', text: 'paused' })
  assert.equal(environmentState('deployed', true), { tone: 'bad', text: 'Has a problem' })
  assert.equal(environmentState('toString', false), { tone: 'quiet', text: 'toString' })
  assert.equal(namespaceState({ status: 'Deleting', isAsleep: true }), { tone: 'busy', text: 'Being deleted' })
  assert.equal(namespaceState({ status: 'Active', isAsleep: true }), { tone: 'quiet', text: 'Asleep' })
  assert.equal(namespaceState({ status: 'Active' }), { tone: 'good', text: 'Active' })
})

const service = (name: string, state: string) => ({
  ...{ service: name, kind: 'Deployment', ready: '1/1', state, reason: '', restarts: 0, image: 'x', age: '1m' },
})
const cause = (name: string) => ({ service: name, code: 'DT3201', message: 'm', isFinal: true })

test('an environment in a few words counts a service once', () => {
  const empty = { name: 'shop', status: 'deployed', who: '', when: '', services: [], endpoints: [], causes: [] }
  assert.is(summaryOf(empty), '0 services')
  const services = [
    service('a', 'failed'),
    service('b', 'progressing'),
    service('c', 'developed'),
    service('d', 'ready'),
  ]
  const causes = [cause('a'), cause('b'), cause('b')]
  assert.is(summaryOf({ ...empty, services, causes }), '4 services, 2 with a problem, 1 in development')
})

test('images are shown without registry and digest', () => {
  for (const [image, shown] of [
    ['ghcr.io/acme/web:1@sha256:00', 'acme/web:1'],
    ['localhost:5000/web', 'web'],
    ['postgres:17', 'postgres:17'],
    ['acme/web', 'acme/web'],
    ['', ''],
  ] as const)
    assert.is(shortImage(image), shown)
})

test('a run that has not started says why', () => {
  assert.match(runNote({ status: 'queued' }) ?? '', 'waits for its turn')
  assert.match(runNote({ status: 'queued', waitsFor: { for: 'run', run: '12' } }) ?? '', 'waits for run 12')
  assert.match(runNote({ status: 'queued', waitsFor: { for: 'namespace' } }) ?? '', 'other runs of the namespace')
  assert.match(runNote({ status: 'cancelled' }) ?? '', 'cancelled before it started')
  assert.is(runNote({ status: 'cancelled', started: '2026-01-01T00:00:00Z' }), undefined)
  assert.is(runNote({ status: 'running', started: '2026-01-01T00:00:00Z' }), undefined)
  const cancelledBy = { user: 'u-1', email: 'bob@example.com' }
  const cancelled = { status: 'cancelled', started: '2026-01-01T00:00:00Z', cancelledBy }
  assert.is(runNote(cancelled), 'bob@example.com cancelled it.')
  assert.match(runNote({ status: 'cancelled', replacedBy: '12' }) ?? '', 'newer run 12')
})

test('a namespace sleeps when something in it was put to sleep', () => {
  const stopped = { ...service('a', 'stopped'), reason: SLEEPING }
  assert.ok(sleeps([{ services: [service('b', 'ready')] }, { services: [stopped] }]))
  assert.not(sleeps([{ services: [service('b', 'stopped')] }]))
})

test('text between backticks is code', () => {
  assert.equal(
    proseOf('sleeps: `devtool namespace wake` starts it').map(({ isCode, text }) => [text, isCode]),
    [
      ['sleeps: ', false],
      ['devtool namespace wake', true],
      [' starts it', false],
    ],
  )
  assert.equal(proseOf('a ` b'), [{ text: 'a ` b', isCode: false }])
  assert.equal(proseOf(''), [])
})

test('words', () => {
  assert.equal([604_800, 7_200, 90 * 60, 61].map(spanOf), ['7 days', '2 hours', '90 minutes', '61 seconds'])
  assert.is(plural(1, 'day'), '1 day')
  assert.is(plural(0, 'day'), '0 days')
  assert.is(sentence('it is'), 'It is')
  assert.is(sentence(''), '')
})

test('an age is in the largest unit of which one is over', () => {
  const now = Date.parse('2026-11-27T10:00:00Z')
  for (const [since, text] of [
    ['2026-11-27T10:00:05Z', 'just now'],
    ['2026-11-27T09:59:01Z', 'just now'],
    ['2026-11-27T09:59:00Z', '1 minute ago'],
    ['2026-11-27T08:00:01Z', '1 hour ago'],
    ['2026-11-21T00:00:00Z', '6 days ago'],
    ['2026-09-01T00:00:00Z', '2 months ago'],
    ['2024-01-01T00:00:00Z', '2 years ago'],
    ['never', 'just now'],
  ] as const)
    assert.is(agoOf(since, now), text, since)
})

test.run()
