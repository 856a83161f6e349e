/** Which clusters are on this machine, and how images get into them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type LocalCluster, loadCommand, localCluster } from '../../../src/domain/build/local-cluster.ts'

const here = 'https://127.0.0.1:6443'

const contexts: ReadonlyArray<readonly [context: string, server: string, cluster: LocalCluster | undefined]> = [
  ['kind-kind', 'https://127.0.0.1:36527', { _tag: 'Kind', name: 'kind' }],
  ['kind-a-b', 'https://[::1]:36527', { _tag: 'Kind', name: 'a-b' }],
  ['kind-a', 'https://a-control-plane:6443', { _tag: 'Kind', name: 'a' }],
  ['kind-', here, undefined],
  ['kind', here, undefined],
  ['my-kind-a', here, undefined],
  ['k3d-dev', 'https://0.0.0.0:41023', { _tag: 'K3d', name: 'dev' }],
  ['k3d-dev', 'https://host.docker.internal:41023', { _tag: 'K3d', name: 'dev' }],
  ['minikube', 'https://192.168.49.2:8443', { _tag: 'Minikube', profile: 'minikube' }],
  ['minikube', 'https://172.31.0.2:8443', { _tag: 'Minikube', profile: 'minikube' }],
  ['minikube-2', here, undefined],
  ['docker-desktop', 'https://kubernetes.docker.internal:6443', { _tag: 'Shared' }],
  ['orbstack', 'https://k8s.orb.local:26443', { _tag: 'Shared' }],
  ['rancher-desktop', here, { _tag: 'Shared' }],
  ['colima', here, { _tag: 'Shared' }],
  ['colima-work', 'https://192.168.106.2:6443/', { _tag: 'Shared' }],
  ['colimax', here, undefined],
  ['production', here, undefined],
  ['kind-a', 'https://kind.example.com', undefined],
  ['kind-a', 'https://203.0.113.7:6443', undefined],
  ['kind-a', 'https://172.32.0.1:6443', undefined],
  ['kind-a', 'https://[2001:db8::1]:6443', undefined],
  ['kind-a', 'https://127.0.0.1.example.com', undefined],
  ['kind-a', 'https://127.0.0.1@example.com', undefined],
  ['kind-a', '127.0.0.1:6443', undefined],
  ['kind-a', '', undefined],
]

for (const [context, server, cluster] of contexts) {
  test(`${context} at ${server || 'no address'} is ${cluster?._tag ?? 'not local'}`, () =>
    assert.equal(localCluster(context, server), cluster))
}

const loads: ReadonlyArray<readonly [LocalCluster, ReadonlyArray<string>, string | undefined]> = [
  [{ _tag: 'Kind', name: 'a' }, ['x:1', 'y:2'], 'kind load docker-image x:1 y:2 --name a'],
  [{ _tag: 'K3d', name: 'dev' }, ['x:1'], 'k3d image import x:1 -c dev'],
  [{ _tag: 'Minikube', profile: 'minikube' }, ['x:1', 'y:2'], 'minikube -p minikube image load x:1 y:2'],
  [{ _tag: 'Shared' }, ['x:1'], undefined],
  [{ _tag: 'Kind', name: 'a' }, [], undefined],
]

for (const [cluster, images, command] of loads) {
  test(`${images.join(' and ') || 'nothing'} into ${cluster._tag}`, () =>
    assert.equal(loadCommand(cluster, images)?.join(' '), command))
}

test.run()
