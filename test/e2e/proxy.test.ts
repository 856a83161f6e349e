/** Commands of a manifest with real clients, through the labelling proxy, against a real cluster ($KUBECONFIG). */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { kubeClusters } from '../../src/adapters/kube/clusters.ts'
import { nodeWriter } from '../../src/adapters/node-fs/writer.ts'
import { processCommands } from '../../src/adapters/process/commands.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { type CommandsFailed, type CommandsRan, runCommands } from '../../src/app/commands/commands.ts'
import { type ClusterObject, labelOf } from '../../src/domain/cluster/live.ts'
import type { KnownKind } from '../../src/domain/cluster/resources.ts'
import type { ProgressEvent } from '../../src/domain/progress/event.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { memoryHome } from '../memory/home.ts'
import { openLab, type Space } from '../support/e2e/e2e.ts'
import { pathWithTools } from '../support/e2e/helm.ts'

const LABEL = 'dev.devtool/environment'

const connect = async (context: string): Promise<Cluster> => {
  const world = { clock: systemClock, random: Math.random, writer: nodeWriter('.'), isTerminal: false, say: () => {} }
  const host = { store: memoryHome(), env: process.env, cwd: process.cwd(), home: process.env['HOME'] ?? '/' }
  const connected = await kubeClusters({ ...world, ...host }).connect({ context })()
  if (E.isLeft(connected)) throw new Error(connected.left.message)
  return connected.right
}

type Result = { readonly output: string; readonly ran: E.Either<CommandsFailed, CommandsRan> }
type Run = (...commands: ReadonlyArray<string>) => Promise<Result>

const scenario = async (name: string, use: (run: Run, space: Space) => Promise<void>): Promise<void> => {
  const lab = await openLab()
  const cluster = await connect(lab.context)
  const PATH = await pathWithTools()
  await lab.within(name, {}, async (space) => {
    const run: Run = async (...commands) => {
      let output = ''
      const tell = (event: ProgressEvent): void => {
        if (event._tag === 'Output') output += `${event.text}\n`
      }
      const world = { clock: systemClock, commands: processCommands(systemClock), progress: { tell, end: () => {} } }
      const ran = await runCommands(world)({
        target: { context: 'lab', cluster, namespace: space.namespace },
        environment: 'shop',
        commands: commands.map((command) => ({ name: command, command })),
        folder: space.folder,
        variables: new Map(Object.entries({ PATH, HOME: dirname(space.folder), NS: space.namespace })),
        secrets: [],
        bash: true,
        signal: AbortSignal.timeout(600_000),
      })()
      return { output, ran }
    }
    await use(run, space)
  })
  cluster.close()
}

const shownCreated = ({ output, ran }: Result): ReadonlyArray<string> => {
  if (E.isLeft(ran)) throw new Error(`${ran.left.diagnostic.message}\n${output}`)
  return ran.right.created.map(({ isForeign, kind, name }) => `${isForeign ? 'foreign ' : ''}${kind}/${name}`)
}

const labelled = async ({ get }: Space, kind: KnownKind, name: string): Promise<string | undefined> => {
  const live: ClusterObject | undefined = await get(kind, name)
  if (live === undefined) throw new Error(`${kind}/${name} is not there`)
  return labelOf(live, LABEL)
}

const pod = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'web',
        image: 'busybox:latest',
        command: [
          'sh',
          '-c',
          'mkdir /www; echo hi > /www/index.html; httpd -p 80 -h /www; while date; do sleep 0.2; done',
        ],
      },
    ],
  },
})

test('kubectl create and apply make labelled objects, and changes keep the label', () =>
  scenario('kubectl', async (run, space) => {
    space.write('map.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata:\n  a: "1"\n')
    space.write('server.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: server\n')
    space.write('kustomization.yaml', 'namePrefix: k-\nresources: [map.yaml]\n')
    const result = await run(
      'kubectl apply -f map.yaml && sed -i "s/a: .*/a: two/" map.yaml && kubectl apply -f map.yaml',
      'for i in 1 2; do kubectl apply --server-side -f server.yaml; done',
      'kubectl apply -k .',
      'kubectl create configmap made --from-literal=a=b && kubectl get cm made -o yaml | sed "s/a: b/a: c/" | kubectl replace -f -',
      'kubectl create configmap gone && kubectl delete configmap gone',
      'kubectl annotate configmap made note=x && kubectl patch configmap made -p \'{"data":{"z":"1"}}\'',
      'kubectl create configmap dry --dry-run=server',
      'kubectl auth can-i create pods',
    )
    assert.equal(shownCreated(result).toSorted(), [
      'ConfigMap/applied',
      'ConfigMap/gone',
      'ConfigMap/k-applied',
      'ConfigMap/made',
      'ConfigMap/server',
    ])
    for (const name of ['applied', 'server', 'k-applied', 'made'])
      assert.is(await labelled(space, 'ConfigMap', name), 'shop', name)
  }))

test('objects that existed before, or that a controller owns, are not ours', () =>
  scenario('others', async (run, space) => {
    await space.create('ConfigMap', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'old' } })
    space.write('old.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: old\ndata:\n  a: b\n')
    const result = await run(
      'kubectl apply -f old.yaml && kubectl apply --server-side --force-conflicts -f old.yaml && kubectl replace -f old.yaml',
      'kubectl create cronjob nightly --image=busybox:latest --schedule="0 0 1 1 *" -- true',
      'kubectl create job once --from=cronjob/nightly',
      'kubectl create deployment web --image=busybox:latest -- sleep 1000 && kubectl rollout status deployment/web',
    )
    assert.equal(shownCreated(result), ['CronJob/nightly', 'Deployment/web'])
    assert.is(await labelled(space, 'ConfigMap', 'old'), undefined)
    assert.is(await labelled(space, 'Job', 'once'), undefined)
    for (const kind of ['ReplicaSet', 'Pod'] as const) {
      for (const live of await space.list(kind)) assert.is(labelOf(live, LABEL), undefined, live.metadata.name)
    }
  }))

test('objects of other namespaces and of the whole cluster are only recorded', () =>
  scenario('foreign', async (run, space) => {
    const name = `${space.namespace}-role`
    const result = await run(
      `kubectl create clusterrole ${name} --verb=get --resource=pods && kubectl delete clusterrole ${name}`,
    )
    assert.equal(shownCreated(result), [`foreign ClusterRole/${name}`])
  }))

test('logs, exec, port-forward and watches are streamed', () =>
  scenario('streams', async (run, space) => {
    space.write('pod.json', pod)
    const result = await run(
      'kubectl apply -f pod.json && kubectl wait --for=condition=Ready pod/web --timeout=300s',
      'echo told | kubectl exec -i web -- sh -c "read x; echo heard \\$x; exit 7" || echo status $?',
      'timeout 60 kubectl logs -f web | head -3 | wc -l',
      'kubectl get pod web -w --show-labels > watched & kubectl label pod web seen=yes; until grep -q seen=yes watched; do sleep 0.2; done; echo watched; kill %1',
      'kubectl port-forward pod/web 0:80 > forwarded & until grep -q Forwarding forwarded; do sleep 0.1; done; port=$(sed -n "s/.*127.0.0.1:\\([0-9]*\\).*/\\1/p" forwarded); exec 3<> /dev/tcp/127.0.0.1/$port; printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3; timeout 5 cat <&3; kill %1',
    )
    assert.equal(shownCreated(result), ['Pod/web'])
    for (const line of ['heard told', 'status 7', '3', 'watched', 'hi'])
      assert.match(result.output, new RegExp(`^${line}$`, 'm'))
  }))

test('helm installs, upgrades, rolls back and uninstalls', () =>
  scenario('helm', async (run, space) => {
    const chart = resolve('test/e2e/charts/shop')
    const installed = await run(`helm install demo ${chart} --wait --timeout 300s`)
    const names = [
      'Secret/sh.helm.release.v1.demo.v1',
      'Job/demo-migrate',
      'ConfigMap/demo-settings',
      'Service/demo-web',
    ]
    assert.equal(shownCreated(installed), [...names, 'Deployment/demo-web'])
    const upgraded = await run(
      `helm upgrade demo ${chart} --set greeting=hi --wait --timeout 300s`,
      'helm rollback demo 1',
      'helm list',
    )
    assert.ok(shownCreated(upgraded).includes('Secret/sh.helm.release.v1.demo.v2'))
    assert.match(upgraded.output, /demo\s.*\b3\s.*deployed/)
    for (const version of [1, 2, 3])
      assert.is(await labelled(space, 'Secret', `sh.helm.release.v1.demo.v${version}`), 'shop')
    for (const kind of ['Deployment', 'Service'] as const) assert.is(await labelled(space, kind, 'demo-web'), 'shop')
    assert.equal(shownCreated(await run('helm uninstall demo --wait')), [])
    assert.is(await space.get('Deployment', 'demo-web'), undefined)
  }))

test('objects created before a failure are reported', () =>
  scenario('failure', async (run, space) => {
    const { ran } = await run('kubectl create configmap made; exit 3', 'kubectl create configmap never')
    assert.ok(E.isLeft(ran))
    assert.is(ran.left.diagnostic.code, 'DT3501')
    assert.equal(
      ran.left.created.map(({ name }) => name),
      ['made'],
    )
    assert.is(await space.get('ConfigMap', 'never'), undefined)
  }))

test('the kubeconfig of a command stops working when the command ends', () =>
  scenario('end', async (run) => {
    const { output } = await run('echo $KUBECONFIG')
    assert.not(existsSync(output.trim()))
  }))

test.run()
