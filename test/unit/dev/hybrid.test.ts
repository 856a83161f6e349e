/** Hybrid mode: the variables of the command, and the ports that lead to it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isLive } from '../../../src/domain/cluster/live.ts'
import { environmentIn, hybridEnvironment, withContainerPorts } from '../../../src/domain/dev/hybrid.ts'
import { devOf } from '../../support/dev/request.ts'

const here = new Map([
  ['PATH', '/usr/bin'],
  ['HOME', '/home/ann'],
  ['COLOR', 'red'],
])

test('variables are those of the container, except those that apply to one machine only', () => {
  const there = {
    PATH: '/opt/bin',
    HOME: '/var/devtool/home',
    HOSTNAME: 'api-1',
    LD_PRELOAD: '/evil.so',
    NODE_OPTIONS: '--require /app/trace.js',
    'BASH_FUNC_ls%%': '() { :; }',
    COLOR: 'blue',
    DATABASE: 'postgres://db/app',
  }
  assert.equal(
    [...hybridEnvironment(here, there, [])],
    [
      ['PATH', '/usr/bin'],
      ['HOME', '/home/ann'],
      ['COLOR', 'blue'],
      ['DATABASE', 'postgres://db/app'],
    ],
  )
})

test('the section and the command line may set any variable', () => {
  const given = [
    { name: 'PATH', value: '/mine' },
    { name: 'COLOR', value: 'green' },
  ]
  const environment = hybridEnvironment(here, { COLOR: 'blue' }, given)
  assert.equal([environment.get('PATH'), environment.get('COLOR')], ['/mine', 'green'])
})

test('an environment that is not an object of strings is rejected', () => {
  assert.equal(environmentIn('{"A":"1"}'), { A: '1' })
  for (const text of ['', '{', 'null', '[]', '"A"', '{"A":1}', '{"A":{"B":"1"}}'])
    assert.is(environmentIn(text), undefined)
})

test('variables with invalid names or values are left out', () => {
  assert.equal([...hybridEnvironment(new Map(), { 'A=B': 'x', '': 'y', C: 'a\0b' }, [])], [])
})

const mirror = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'devtool-up-deployment-api', uid: 'u1', resourceVersion: '1' },
  spec: {
    template: {
      spec: {
        containers: [
          { name: 'proxy', ports: [{ containerPort: 15001 }] },
          {
            name: 'app',
            ports: [
              { containerPort: 8080 },
              { containerPort: 8080, name: 'again' },
              { containerPort: 9090, protocol: 'TCP' },
              { containerPort: 5353, protocol: 'UDP' },
            ],
          },
        ],
      },
    },
  },
}

const reversesOf = (section: string): ReadonlyArray<string> => {
  const dev = devOf({ 'devtool.yml': `dev:\n  api:\n    mode: hybrid\n${section}` })
  if (!isLive(mirror)) throw new Error('no live object')
  return withContainerPorts(dev, 'app', mirror).reverse.map(({ local, remote }) => `${remote}:${local}`)
}

test('each TCP port of the container leads to the same port of this machine', () => {
  assert.equal(reversesOf(''), ['8080:8080', '9090:9090'])
})

test('the section maps ports of the container to others of this machine, and a port it forwards is left out', () => {
  assert.equal(reversesOf('    reverse: ["8080:3000"]\n'), ['8080:3000', '9090:9090'])
  assert.equal(reversesOf('    reverse: ["80:8080"]\n'), ['80:8080', '9090:9090'])
  assert.equal(reversesOf('    forward: ["9090:db:5432"]\n'), ['8080:8080'])
})

test.run()
