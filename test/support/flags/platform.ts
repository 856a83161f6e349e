/** Effects of the flags of commands that install a platform, and of those that only a platform carries out. */
import { RUN } from '../platform/runs.ts'
import { tokenOf } from '../platform/world.ts'
import { adds, behind, type Effects, loglevel, output } from './effect.ts'
import { backedUp, collected, installed, platformStatus, restored, uninstalled, upgraded } from './installed.ts'

const url = 'https://p.test'

const contexts = { [url]: { token: tokenOf('admin'), namespace: 'shop' } }
const home = { 'context/config.json': JSON.stringify({ current: url, contexts }) }
const ofOwner = {
  'context/config.json': JSON.stringify({
    current: url,
    contexts: { [url]: { token: tokenOf('owner'), namespace: 'shop' } },
  }),
}
const reach: Effects = { '--context': adds('--context', 'other'), '--kubeconfig': adds('--kubeconfig', 'mine.yaml') }
const inNamespace: Effects = { ...reach, '--namespace': adds('-n', 'prod') }

const deploying: Effects = {
  '--branch': adds('--branch', 'v2'),
  '--file': adds('--file', 'app/compose.yaml'),
  '--repository': { flag: ['--repository', 'https://git.test/web'] },
  '--timeout': adds('--timeout', '90s'),
  '--var': adds('--var', 'TAG=2'),
  '--wait': { line: ['--timeout', '1s'], flag: ['--wait'] },
  ...loglevel,
  ...output,
}
const source = ['--repository', 'https://git.test/team/web']
const named: Effects = { '--name': adds('--name', 'api') }
const ofRun: Effects = { ...inNamespace, ...loglevel, ...output, ...named, '--run': adds('--run', RUN) }

export const platformEffects: Readonly<Record<string, Effects>> = {
  'platform backup': backedUp,
  'platform gc': collected,
  'platform install': installed,
  'platform restore': restored,
  'platform status': platformStatus,
  'platform uninstall': uninstalled,
  'platform upgrade': upgraded,
  kubetoken: behind({ '--context': adds('--context', 'other') }, [], { home: ofOwner }),
  login: behind(loglevel, [url], { home: ofOwner, isAttended: true }),
  logout: behind(loglevel, [], { home: ofOwner }),
  'namespace create': behind({ ...reach, ...loglevel }, ['shop-new'], { home: ofOwner }),
  'namespace delete': behind(
    {
      ...behind({ '--force': adds('--force') }, ['going']),
      ...behind({ ...reach, '--timeout': adds('--timeout', '2s') }, ['shop', '--timeout', '4s']),
      ...behind(loglevel, ['shop-new'], { before: [['namespace', 'create', 'shop-new']] }),
    },
    [],
    { home: ofOwner },
  ),
  'namespace list': behind({ ...reach, ...output }, [], { home: ofOwner }),
  'namespace members add': behind(
    { ...inNamespace, ...loglevel, '--role': adds('--role', 'viewer') },
    ['stranger@example.com'],
    { home: ofOwner },
  ),
  'namespace members list': behind({ ...inNamespace, ...output }, [], { home: ofOwner }),
  'namespace members remove': behind({ ...inNamespace, ...loglevel }, ['member@example.com'], { home: ofOwner }),
  'pipeline cancel': behind(ofRun, [], { home: ofOwner }),
  'pipeline deploy': behind(
    { ...inNamespace, ...deploying, ...named, '--skip-if-exists': adds('--skip-if-exists') },
    source,
    { home: ofOwner },
  ),
  'pipeline destroy': behind(
    {
      ...inNamespace,
      ...loglevel,
      ...output,
      ...named,
      '--timeout': adds('--timeout', '90s'),
      '--volumes': adds('--volumes'),
      '--wait': { line: ['--timeout', '1s'], flag: ['--wait'] },
    },
    [],
    { home: ofOwner },
  ),
  'pipeline list': behind({ ...inNamespace, ...output }, [], { home: ofOwner }),
  'pipeline logs': behind(ofRun, [], { home: ofOwner }),
  'preview deploy': behind(
    {
      ...reach,
      ...deploying,
      '--scope': adds('--scope', 'global'),
      '--sourceUrl': adds('--sourceUrl', 'https://git.test/team/web/pulls/1'),
    },
    source,
    { home: ofOwner },
  ),
  'preview destroy': behind(
    {
      ...behind({ ...reach, ...loglevel, ...output, '--force': adds('--force') }, ['going']),
      '--timeout': { line: ['look', '--timeout', '4s'], flag: ['--timeout', '2s'] },
    },
    [],
    { home: ofOwner },
  ),
  'preview endpoints': behind({ ...reach, ...output }, ['look'], { home: ofOwner }),
  'preview list': behind({ ...reach, ...output }, [], { home: ofOwner }),
  'variable list': behind({ ...inNamespace, ...output, '--all': adds('--all') }, [], { home }),
  'variable set': behind(
    { ...inNamespace, ...loglevel, '--all': adds('--all'), '--previews': { line: ['--all'], flag: ['--previews'] } },
    ['TAG', '2'],
    { home: ofOwner },
  ),
  'variable unset': behind({ ...inNamespace, ...loglevel, '--all': adds('--all') }, ['COLOR'], { home: ofOwner }),
}
