/** For every flag of every command, a command line in which the flag has a visible effect. */
import { development } from './development.ts'
import { adds, behind, type Effects, loglevel, output } from './effect.ts'
import { crashOnce, foreignLease, holdLock, holdObject, logLines, moveAway, takeImage, takeLock } from './meddling.ts'
import { dependency, dependent, depending, elsewhere, foreign } from './objects.ts'
import { platformEffects } from './platform.ts'
import { files, type Setup } from './world.ts'

const cluster: Effects = {
  '--context': adds('--context', 'other'),
  '--kubeconfig': adds('--kubeconfig', 'mine.yaml'),
  '--namespace': adds('-n', 'prod'),
}
const naming: Effects = {
  '--file': adds('--file', 'other.yaml'),
  '--name': adds('--name', 'another'),
  '--env-file': adds('--env-file', 'prod.env'),
  '--var': adds('--var', 'STACK=blog'),
}
const project: Effects = {
  ...naming,
  '--profile': adds('--profile', 'debug'),
  '--strict': adds('--strict'),
  '--report': adds('--report', 'sarif=found.sarif'),
}
const deployed: Setup = { before: [['deploy', '--yes']] }
const synchronised: Setup = { isSynchronised: true }
const readTimeout: Effects = { '--timeout': { before: [], isSilent: true, flag: ['--timeout', '5s'] } }
const looking = (more: Effects): Effects => behind({ ...naming, ...cluster, ...loglevel, ...more }, [], deployed)

const hostFiles: Effects = { '--host-files': { line: ['-f', 'host.yaml'], flag: ['--host-files', 'config'] } }

const dryRun = behind(
  {
    ...project,
    '--domain': adds('--domain', 'apps.test'),
    '--ingress-class': adds('--ingress-class', 'nginx'),
    '--tls-secret': { line: ['--domain', 'apps.test'], flag: ['--tls-secret', 'cert'] },
    ...hostFiles,
    '--registry': { line: ['-f', 'build.yaml'], flag: ['--registry', 'r.test/team'] },
    '--output': adds('--output', 'files=k8s'),
    '--show-secrets': { line: ['-f', 'secret.yaml'], flag: ['--show-secrets'] },
    '--golden': { line: ['--name', 'shop'], flag: ['--golden', 'golden.yaml'] },
    '--update': { line: ['--name', 'shop', '--golden', 'golden.yaml'], flag: ['--update'] },
  },
  ['--dry-run'],
)

const manifest: Setup = { files: { ...files, 'devtool.yml': files['manifest.yml'] } }

const deploy: Effects = {
  ...dryRun,
  ...cluster,
  ...loglevel,
  '--dry-run': adds('--dry-run'),
  '--diff': adds('--diff'),
  '--yes': adds('--yes'),
  '--progress': { line: ['--yes'], flag: ['--progress', 'json'] },
  '--loglevel': { line: ['--yes'], flag: ['--loglevel', 'error'] },
  '--timeout': { line: ['--yes', '--wait', '--timeout', '4s'], flag: ['--timeout', '2s'] },
  '--wait': { line: ['--yes', '--timeout', '2s'], flag: ['--wait'] },
  '--fail-fast': {
    files: {
      ...files,
      'volume.yaml': 'name: shop\nservices: {web: {image: nginx, volumes: [data:/data]}}\nvolumes: {data: {}}\n',
    },
    line: ['--yes', '-f', 'volume.yaml', '--wait', '--timeout', '4s'],
    flag: ['--fail-fast'],
    meddle: crashOnce,
  },
  '--atomic': { line: ['--yes', '--timeout', '2s'], flag: ['--atomic'] },
  '--rerun-jobs': { ...deployed, line: ['--yes'], flag: ['--rerun-jobs'] },
  '--force-conflicts': {
    ...deployed,
    line: ['--yes', '--var', 'TAG=3'],
    flag: ['--force-conflicts'],
    meddle: takeImage,
  },
  '--wait-for-lock': { line: ['--yes'], flag: ['--wait-for-lock', '1m'], meddle: holdLock },
  '--break-lock': { line: ['--yes'], flag: ['--break-lock'], objects: [foreignLease] },
  '--take-over': { line: ['--yes'], flag: ['--take-over'], objects: [foreign] },
  '--build': { hasImages: true, line: ['--yes', '-f', 'build.yaml', '--registry', 'r.test/team'], flag: ['--build'] },
  '--reproducible': { line: ['--yes', '-f', 'build.yaml', '--registry', 'r.test/team'], flag: ['--reproducible'] },
  '--dependencies': {
    ...depending,
    line: ['--yes'],
    flag: ['--dependencies'],
  },
  '--no-bash': { ...manifest, line: ['--yes'], flag: ['--no-bash'] },
  '--mask': { ...manifest, line: ['--yes', '--var', 'STACK=test'], flag: ['--mask', 'STACK'] },
}

const build: Effects = behind(
  {
    ...project,
    ...loglevel,
    ...output,
    '--file': adds('--file', 'other.yaml'),
    '--context': {
      home: { 'context/config.json': JSON.stringify({ contexts: { other: { builder: 'tcp://kit:1' } } }) },
      flag: ['--context', 'other'],
    },
    '--env-file': adds('--env-file', 'prod.env'),
    '--var': adds('--var', 'DEVTOOL_NAME=another'),
    '-f': adds('-f', 'Dockerfile'),
    '--no-cache': { hasImages: true, flag: ['--no-cache'] },
    '--secret': adds('--secret', 'id=pw,src=prod.env'),
    '--export-cache': adds('--export-cache', 'r.test/cache'),
    '--cache-from': adds('--cache-from', 'r.test/cache'),
    '--target': { line: ['api'], flag: ['--target', 'prod'] },
    '--tag': { line: ['api'], flag: ['--tag', 'r.test/api:2'] },
    '--platform': adds('--platform', 'linux/arm64'),
    '--build-arg': adds('--build-arg', 'LEVEL=2'),
    '--check': adds('--check'),
    '--load': adds('--load'),
    '--push': adds('--push=false'),
    '--reproducible': adds('--reproducible'),
    ...behind(
      {
        '--ssh': adds('--ssh', 'default'),
        '--label': adds('--label', 'team=web'),
        '--build-context': adds('--build-context', 'base=docker-image://r.test/base'),
        '--add-host': adds('--add-host', 'db:192.0.2.1'),
        '--network': adds('--network', 'none'),
        '--pull': adds('--pull'),
        '--allow': adds('--allow', 'network.host'),
        '--provenance': adds('--provenance', 'mode=max'),
        '--sbom': adds('--sbom', 'true'),
        '--metadata-file': adds('--metadata-file', 'built.json'),
        '--iidfile': adds('--iidfile', 'id'),
      },
      ['-f', 'Dockerfile', '--tag', 'r.test/web:1'],
    ),
    '--registry': adds('--registry', 'r.test/other'),
    '--progress': adds('--progress', 'json'),
  },
  ['--registry', 'r.test/team'],
  { files: { ...files, 'compose.yaml': files['build.yaml'] } },
)

const destroy: Effects = {
  ...looking(output),
  '--output': { ...deployed, line: ['--dry-run'], flag: ['-o', 'json'] },
  '--yes': { ...deployed, line: ['--all', '--context', 'test'], flag: ['--yes'] },
  '--volumes': { ...deployed, line: ['--yes'], flag: ['--volumes'] },
  '--all': { ...deployed, line: ['--yes'], flag: ['--all'] },
  '--dry-run': { ...deployed, line: ['--yes'], flag: ['--dry-run'] },
  '--progress': { ...deployed, line: ['--yes'], flag: ['--progress', 'json'] },
  '--timeout': {
    ...deployed,
    line: ['--yes', '--wait', '--timeout', '4s'],
    flag: ['--timeout', '2s'],
    meddle: holdObject,
  },
  '--wait': { ...deployed, line: ['--yes'], flag: ['--wait'] },
  '--wait-for-lock': { ...deployed, line: ['--yes'], flag: ['--wait-for-lock', '1m'], meddle: holdLock },
  '--break-lock': { ...deployed, line: ['--yes'], flag: ['--break-lock'], meddle: takeLock },
  '--take-over': { line: ['--yes'], flag: ['--take-over'], objects: [foreign] },
  '--dependencies': { line: ['--yes'], flag: ['--dependencies'], objects: [dependent, dependency] },
  '--skip-commands': { ...manifest, ...deployed, line: ['--yes'], flag: ['--skip-commands'] },
  '--no-bash': { ...manifest, ...deployed, line: ['--yes'], flag: ['--no-bash'] },
  '--mask': { ...manifest, ...deployed, line: ['--yes', '--var', 'STACK=test'], flag: ['--mask', 'STACK'] },
}

const logs: Effects = looking({
  ...output,
  '--all': adds('--all'),
  '--container': { meddle: logLines, flag: ['--container', 'web'] },
  '--previous': { meddle: logLines, flag: ['--previous'] },
  '--exclude': { meddle: logLines, flag: ['--exclude', 'web'] },
  '--since': { meddle: logLines, flag: ['--since', '5m'] },
  '--tail': { meddle: logLines, flag: ['--tail', '1'] },
  '--timestamps': { meddle: logLines, flag: ['--timestamps'] },
  '--follow': { isInterrupted: true, flag: ['--follow'] },
  '--raw': { meddle: logLines, flag: ['--raw'] },
  '--output': adds('-o', 'json'),
})

const remembered: Effects = {
  ...loglevel,
  '--token': adds('--token', 'abc'),
  '--namespace': adds('-n', 'prod'),
  '--builder': adds('--builder', 'tcp://buildkit:1234'),
  '--registry': adds('--registry', 'r.test/team'),
  '--pull-registry': adds('--pull-registry', 'r.test/team'),
  '--domain': adds('--domain', 'apps.test'),
  '--tls-secret': adds('--tls-secret', 'cert'),
  '--ingress-class': adds('--ingress-class', 'nginx'),
  '--agent-image': adds('--agent-image', 'r.test/node:22'),
  '--kubeconfig': adds('--kubeconfig', 'mine.yaml'),
}

const { '--namespace': _namespace, ...contexts } = cluster
const { '--context': _context, '--namespace': _other, ...kubeconfigs } = cluster

/** By the name of the command, then by the long name of the flag. */
export const effects: Readonly<Record<string, Effects>> = {
  analytics: { ...output, '--disable': adds('--disable'), '--enable': adds('--enable') },
  build,
  ...development,
  completion: {},
  context: behind(remembered, [], { answers: { '`devtool context use NAME`': 'test' } }),
  'context delete': behind({ ...loglevel, ...kubeconfigs }, ['test'], { before: [['context', 'use', 'test']] }),
  'context list': {
    ...output,
    ...kubeconfigs,
    '--loglevel': {
      home: { 'context/config.json': JSON.stringify({ contexts: { other: { builder: 'tcp://kit:1' } } }) },
      hasNoKubeconfig: true,
      flag: ['--loglevel', 'error'],
    },
  },
  'context show': { ...cluster, '--output': adds('-o', 'yaml') },
  'context use': behind(remembered, ['test']),
  deploy,
  destroy,
  doctor: looking({
    ...readTimeout,
    '--check': adds('--check'),
    '--output': { line: ['--check'], flag: ['-o', 'json'] },
  }),
  endpoints: looking({ ...output, ...readTimeout }),
  explain: behind(output, ['DT1012']),
  forward: behind({ ...naming, ...cluster, ...loglevel, ...output }, ['web', '8080'], {
    ...deployed,
    isInterrupted: true,
  }),
  help: {},
  history: looking({
    ...output,
    '--show-secrets': { before: [['deploy', '--yes', '-f', 'secret.yaml']], line: ['1'], flag: ['--show-secrets'] },
  }),
  init: {
    ...loglevel,
    '--file': adds('--file', 'other.yml'),
    '--name': adds('--name', 'another'),
    '--replace': { files: { ...files, 'devtool.yml': '' }, flag: ['--replace'] },
    '--yes': { isTerminal: true, flag: ['--yes'] },
    '-v1': adds('-v1'),
  },
  kubeconfig: { ...loglevel, ...cluster },
  list: behind(
    {
      ...loglevel,
      ...cluster,
      ...output,
      ...readTimeout,
      '--watch': { isInterrupted: true, flag: ['--watch'] },
    },
    [],
    deployed,
  ),
  logs,
  ...platformEffects,
  namespace: behind({ ...loglevel, ...contexts }, [], { answers: { '`devtool namespace use NAME`': 'prod' } }),
  'namespace sleep': behind(
    { ...loglevel, ...cluster, ...output, '--yes': { objects: [elsewhere], flag: ['--yes'] } },
    [],
    deployed,
  ),
  'namespace use': behind({ ...loglevel, ...contexts }, ['demo']),
  'namespace wake': behind({ ...loglevel, ...cluster, ...output }, [], {
    before: [
      ['deploy', '--yes'],
      ['namespace', 'sleep'],
    ],
  }),
  rollback: behind(
    {
      ...naming,
      ...cluster,
      ...loglevel,
      ...output,
      '--yes': adds('--yes'),
      '--progress': adds('--yes', '--progress', 'json'),
      '--timeout': { line: ['--yes', '--wait', '--timeout', '4s'], flag: ['--timeout', '2s'] },
      '--wait': { line: ['--yes', '--timeout', '2s'], flag: ['--wait'] },
      '--force-conflicts': { line: ['--yes'], flag: ['--force-conflicts'], meddle: takeImage },
      '--break-lock': { line: ['--yes'], flag: ['--break-lock'], meddle: takeLock },
      '--wait-for-lock': { line: ['--yes'], flag: ['--wait-for-lock', '1m'], meddle: holdLock },
      '--take-over': { line: ['--yes'], flag: ['--take-over'], meddle: moveAway },
    },
    [],
    {
      hasImages: true,
      before: [
        ['deploy', '--yes'],
        ['deploy', '--yes', '--var', 'TAG=3'],
      ],
    },
  ),
  schema: { '--install': adds('--install'), '--loglevel': { line: ['--install'], flag: ['--loglevel', 'error'] } },
  'sync allow': {},
  'sync conflicts': behind(output, [], synchronised),
  'sync explain': behind(output, ['src/main.ts'], synchronised),
  'sync kept': behind(output, [], synchronised),
  'sync refuse': {},
  'sync restore': behind({ ...output, ...loglevel, '--overwrite': adds('--overwrite') }, ['src/main.ts'], synchronised),
  validate: {
    ...hostFiles,
    ...project,
    ...loglevel,
    ...output,
    '--name': { line: ['-f', 'routes.yaml'], flag: ['--name', 'web'] },
    '--env-file': { line: ['-f', 'needy.yaml'], flag: ['--env-file', 'prod.env'] },
    '--var': { line: ['-f', 'needy.yaml'], flag: ['--var', 'TAG=1'] },
    '--namespace': { line: ['-f', 'routes.yaml', '--name', 'web'], flag: ['-n', 'prod'] },
  },
  version: { ...output, '--check': adds('--check') },
  why: looking({ ...output, ...readTimeout }),
}
