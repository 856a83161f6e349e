import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { devOfService } from '../../../src/domain/dev/of-compose.ts'
import { line, serviceWith, written } from '../../support/compose/model.ts'

const at = line(3)
const mount = (source: string, target: string) => ({ source, target, readOnly: false, at, path: 'services.api' })

test('host volumes are the files, published TCP ports are forwarded, and the command is that of the service', () => {
  const port = { isPublic: false, at, published: [8080], target: 80 }
  const dev = devOfService(
    serviceWith('api', {
      entrypoint: written(['tini', '--']),
      command: written(['node', 'server.js']),
      hostMounts: [mount('./src', '/app/src'), mount('/etc/app', '/etc/app')],
      ports: [
        { ...port, protocol: 'TCP' },
        { ...port, protocol: 'UDP', published: [53] },
        { ...port, protocol: 'TCP', target: 9229, published: [] },
      ],
    }),
  )
  assert.equal(
    dev.folders.map(({ local, remote }) => `${local} ${remote}`),
    ['/project/src /app/src', '/etc/app /etc/app'],
  )
  assert.equal(
    dev.forward.map(({ local, remote }) => `${local}:${remote}`),
    ['8080:80'],
  )
  assert.equal(dev.command?.value, { _tag: 'Words', words: ['tini', '--', 'node', 'server.js'] })
  assert.not(dev.persistentVolume.enabled)
})

test('what the service may only read is not taken over from it', () => {
  const { folders } = devOfService(
    serviceWith('api', { hostMounts: [{ ...mount('./src', '/src'), readOnly: true }, mount('./data', '/data')] }),
  )
  assert.equal(
    folders.map(({ mode }) => mode),
    ['push', undefined],
  )
})

test('a service without its own command has none, and its workload and container are those of deploy', () => {
  const { command, container, workload } = devOfService(serviceWith('My_API'))
  assert.is(command, undefined)
  assert.is(container?.value, 'my-api')
  assert.is(workload._tag === 'Named' ? workload.name.value : '', 'my-api')
})

test.run()
