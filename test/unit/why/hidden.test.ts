/** Programs that a volume hides, or that a Secret or ConfigMap holds. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findCauses } from '../../../src/domain/why/causes.ts'
import { readLog } from '../../../src/domain/why/log.ts'
import { observedOf } from '../../support/kube/live.ts'
import { deployed, pod, workload } from '../../support/why/lives.ts'

const volumes = [
  { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
  { name: 'keys', secret: { secretName: 'web-keys' } },
  { name: 'files', configMap: { name: 'web-files' } },
]
const volumeMounts = [
  { name: 'data', mountPath: '/data' },
  { name: 'keys', mountPath: '/app' },
  { name: 'files', mountPath: '/app/start.sh', subPath: 'start.sh' },
]

const explained = (
  terminated: { reason: string; exitCode: number; message?: string },
  log: ReadonlyArray<string> = [],
) => {
  const status = { name: 'web', image: 'shop/web:1', restartCount: 2, lastState: { terminated } }
  const crashed = { ...status, state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } } }
  const spec = { nodeName: 'node1', containers: [{ name: 'web', image: 'shop/web:1', volumeMounts }], volumes }
  const web = pod('a', 'set-web-2', { spec, status: { containerStatuses: [crashed] } })
  const [cause] = findCauses(deployed([web]), { kind: 'Deployment', name: 'web' }, () => 60_000)
  assert.ok(cause)
  return readLog(cause, log)
}

const refused = (words: string) =>
  explained({ reason: 'StartError', exitCode: 128, message: `runc create failed: ${words}: unknown` })

test('a program that a Secret hides is named with the Secret', () => {
  const { help, message } = refused('exec: "/app/run": stat /app/run: no such file or directory')
  assert.match(
    message,
    /: \/app\/run is not in the Secret web-keys, which is mounted at \/app and hides what the image/,
  )
  assert.not.match(help ?? '', 'x-devtool-volume-init')
  const hidden = refused('exec: "/data/run": stat /data/run: no such file or directory')
  assert.match(hidden.message, /is not in the volume data,/)
  assert.match(hidden.help ?? '', 'x-devtool-volume-init')
})

test('a program of a Secret or ConfigMap that is not executable needs a mode', () => {
  for (const [path, holder] of [
    ['/app/run', 'Secret web-keys'],
    ['/app/start.sh', 'ConfigMap web-files'],
  ]) {
    const { help, message } = refused(`exec: "${path}": permission denied`)
    assert.match(message, `: ${path}, a file of the ${holder}, is not executable`)
    assert.match(help ?? '', '`mode: 0555`')
  }
  assert.match(refused('exec: "/bin/run": permission denied').help ?? '', 'in the image')
})

test('a file that a shell may not run or read is named, and not the shell', () => {
  for (const [line, said] of [
    ['/bin/sh: 1: /app/run: Permission denied', '/app/run, a file of the Secret web-keys (permission denied)'],
    ['sh: /app/start.sh: Permission denied', '/app/start.sh, a file of the ConfigMap web-files (permission denied)'],
    ['/bin/bash: line 1: /srv/run: Permission denied', 'open /srv/run (permission denied)'],
    ['/srv/start.sh: line 3: /var/log/x: Permission denied', 'open /var/log/x (permission denied)'],
  ] as const) {
    assert.match(explained({ reason: 'Error', exitCode: 126 }, [line]).message, said)
  }
})

test('a Job whose container cannot be started has that cause alone: there is no log to read', () => {
  const terminated = { reason: 'StartError', exitCode: 128, message: 'exec: "./run": no such file or directory' }
  const status = { phase: 'Failed', containerStatuses: [{ name: 'web', state: { terminated } }] }
  const job = workload('Job', 'web', {
    spec: { backoffLimit: 0 },
    status: { conditions: [{ type: 'Failed', status: 'True' }] },
  })
  const observed = observedOf([job, pod('a', 'workload-web', { status })])
  const causes = findCauses(observed, { kind: 'Job', name: 'web' }, () => 0)
  assert.equal(
    causes.map(({ code, isFinal }) => [code, isFinal]),
    [['DT3217', true]],
  )
})

test.run()
