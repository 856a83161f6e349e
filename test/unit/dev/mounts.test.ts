/** What else is mounted below a folder that is synchronised. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mountedBelow, mountsIn, withoutConfigs } from '../../../src/domain/dev/mounts.ts'

test('only paths mounted below the folder are excluded, however they are written', () => {
  const mounts = ['/app', '/app/data', '/app//lib/../cache/', '/application', '/', 'relative', '/app/']
  assert.equal(mountedBelow('/app', mounts), ['data', 'cache'])
  assert.equal(mountedBelow('/app/./', mounts), ['data', 'cache'])
  assert.equal(mountedBelow('/', ['/', '/data']), ['data'])
})

test('the volumes of the developed container count, not those beside it', () => {
  const mounted = (name: string, ...paths: ReadonlyArray<string>) => ({
    name,
    volumeMounts: paths.map((mountPath) => ({ name: 'volume', mountPath })),
  })
  const template = { spec: { containers: [mounted('proxy', '/etc/proxy'), mounted('app', '/app/data', '/app/key')] } }
  assert.equal(mountsIn(template, 'app'), ['/app/data', '/app/key'])
  assert.equal(mountsIn(template, 'none'), [])
  assert.equal(mountsIn(undefined, 'app'), [])
})

test('a ConfigMap is replaced by files that are synchronised to its path, other volumes are not', () => {
  const volumes = [
    { name: 'config', configMap: { name: 'web' } },
    { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
  ]
  const mounts = [
    { name: 'config', mountPath: '/etc/web/a.conf', subPath: 'a' },
    { name: 'config', mountPath: '/etc/web/b.conf', subPath: 'b' },
    { name: 'data', mountPath: '/data' },
  ]
  const container = { name: 'web', volumeMounts: mounts }
  const left = withoutConfigs({ volumes }, container, [{ remote: '/etc/web/a.conf' }, { remote: '/data' }])
  assert.equal(left, { name: 'web', volumeMounts: mounts.slice(1) })
})

test.run()
