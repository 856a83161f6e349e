/** The flags of commands about development containers. */
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { type StoredFolder, storedFolderText } from '../../../src/domain/sync/stored-folder.ts'
import { statusText } from '../../../src/domain/sync/stored-status.ts'
import type { MemoryCluster } from '../../memory/cluster.ts'
import { adds, behind, type Effects, loglevel, output } from './effect.ts'
import { files, type Setup } from './world.ts'

const { objects }: { readonly objects: ReadonlyArray<JsonObject> } = JSON.parse(
  readFileSync('test/golden/codes/DT5058/cluster.json', 'utf8')
    .replaceAll('"namespace": "default"', '"namespace": "demo"')
    .replaceAll('"name": "app"', '"name": "api"')
    .replaceAll('\\"container\\": \\"app\\"', '\\"container\\": \\"api\\"'),
)

const project: Setup['files'] = {
  ...files,
  'compose.yaml': 'name: ${STACK:-shop}\nservices: {api: {image: nginx}}\n',
  'next.yaml': 'name: shop\nservices: {api: {image: nginx:2}}\n',
  'folder.yaml': 'name: shop\nservices: {api: {image: nginx, volumes: ["./src:/app"]}}\n',
  'src/main.ts': '1',
  'volume.yml': 'name: shop\nservices: {api: {image: nginx}}\ndev: {api: {volumes: [/cache]}}\n',
  'commands.yml': 'name: shop\ndeploy: [echo hello]\nservices: {api: {image: nginx}}\n',
}

const deployed: Setup = { files: project, hasAgents: true, before: [['deploy', '--yes']] }
const developed: Setup = { ...deployed, before: [['up', 'api', '--yes']] }
/** A development container of somebody else. */
const foreign: Setup = { files: project, before: [], objects }

const reach: Effects = {
  '--context': adds('--context', 'other'),
  '--kubeconfig': adds('--kubeconfig', 'mine.yaml'),
  '--namespace': adds('-n', 'prod'),
}
const everywhere: Effects = { ...reach, ...loglevel, '--file': adds('--file', 'other.yaml') }

const folder: StoredFolder = { dev: 'api', namespace: 'demo', context: 'test', local: '/home/me/shop', remote: '/app' }
const pages = { here: 'http://127.0.0.1:1', there: 'http://127.0.0.1:2', user: 'devtool', password: 'secret' }

const status: Effects = behind(
  {
    ...everywhere,
    ...output,
    '--timeout': { ...foreign, isSilent: true, flag: ['--timeout', '5s'] },
    '--watch': { interruptedAfter: 12, flag: ['--watch'] },
    '--info': {
      isSessionRunning: true,
      home: {
        'sync/1/folder.json': storedFolderText(folder),
        'sync/1/status.json': statusText({ percent: 100, troubles: [], conflicts: [], pages }),
      },
      flag: ['--info'],
    },
  },
  [],
  developed,
)

/** Gives the workload another image. */
const change = (cluster: MemoryCluster): unknown => {
  const body = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'api', namespace: 'demo' },
    spec: { template: { spec: { containers: [{ name: 'api', image: 'nginx:9' }] } } },
  }
  const key = { resource: resources.Deployment, namespace: 'demo', name: 'api' }
  return cluster.apply(key, JSON.stringify(body), { manager: 'kubectl-set', force: true })()
}

const commands: Setup = { before: [['deploy', '--yes', '-f', 'commands.yml']] }

const up: Effects = behind(
  {
    ...reach,
    '--file': { line: ['--deploy'], flag: ['--file', 'next.yaml'] },
    '--name': { line: ['--deploy'], flag: ['--name', 'another'] },
    '--env-file': { line: ['--deploy'], flag: ['--env-file', 'prod.env'] },
    '--var': { line: ['--deploy'], flag: ['--var', 'STACK=blog'] },
    '--command': adds('--command', 'npm run dev'),
    '--detach': adds('--detach'),
    '--env': adds('--env', 'DEBUG=1'),
    '--deploy': adds('--deploy'),
    '--reset': { line: ['-f', 'folder.yaml'], flag: ['--reset'] },
    '--auto-restart': { meanwhile: change, flag: ['--auto-restart'] },
    '--take-over': { ...foreign, flag: ['--take-over'] },
    '--agent-image': adds('--agent-image', 'r.test/node:22'),
    // It updates its record every 20 s.
    '--timeout': { hasAgents: false, line: ['--timeout', '30s'], flag: ['--timeout', '10s'] },
    '--mask': {
      ...commands,
      line: ['-f', 'commands.yml', '--deploy', '--var', 'STACK=test'],
      flag: ['--mask', 'STACK'],
    },
    '--no-bash': { ...commands, line: ['-f', 'commands.yml', '--deploy'], flag: ['--no-bash'] },
    '--progress': adds('--progress', 'json'),
    ...loglevel,
  },
  ['api', '--yes'],
  deployed,
)

const exec: Effects = behind(everywhere, [], { ...developed, rest: ['--', 'true'] })

/** A finalizer keeps the development container from being deleted. */
const holdMirror = (cluster: MemoryCluster): Promise<unknown> => {
  const key = { resource: resources.Deployment, namespace: 'demo', name: 'devtool-up-deployment-api' }
  const metadata = { name: key.name, namespace: 'demo', finalizers: ['example.com/hold'] }
  const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata }
  return cluster.apply(key, JSON.stringify(body), { manager: 'holder', force: false })()
}

const down: Effects = behind(
  {
    ...everywhere,
    ...output,
    '--all': { line: ['-f', 'other.yaml'], flag: ['--all'] },
    '--from-cluster': { line: ['-f', 'other.yaml'], flag: ['--from-cluster'] },
    '--volumes': {
      before: [
        ['deploy', '--yes', '-f', 'volume.yml'],
        ['up', 'api', '--yes', '-f', 'volume.yml'],
      ],
      line: ['-f', 'volume.yml'],
      flag: ['--volumes'],
    },
    '--take-over': { ...foreign, flag: ['--take-over'] },
    '--timeout': { meddle: holdMirror, line: ['--timeout', '3.3s'], flag: ['--timeout', '1.7s'] },
    '--progress': adds('--progress', 'json'),
  },
  [],
  developed,
)

/** By the name of the command. */
export const development: Readonly<Record<string, Effects>> = {
  down,
  exec,
  restart: behind({ ...everywhere, ...output }, [], developed),
  status,
  up: { ...up, '--yes': { ...deployed, before: [], line: ['api'], flag: ['--yes'] } },
}
