/** Effects of the flags of commands that install a platform, and of those that only a platform carries out. */
import { tokenOf } from '../platform/world.ts'
import { adds, behind, type Effects, loglevel, output } from './effect.ts'
import { installed, platformStatus, uninstalled, upgraded } from './installed.ts'

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

export const platformEffects: Readonly<Record<string, Effects>> = {
  'platform install': installed,
  'platform status': platformStatus,
  'platform uninstall': uninstalled,
  'platform upgrade': upgraded,
  kubetoken: behind({ '--context': adds('--context', 'other') }, [], { home: ofOwner }),
  login: behind(loglevel, [url], { home: ofOwner, isAttended: true }),
  logout: behind(loglevel, [], { home: ofOwner }),
  'namespace create': behind({ ...reach, ...loglevel }, ['shop-new'], { home: ofOwner }),
  'namespace delete': behind(
    {
      ...behind({ ...reach, '--timeout': { line: ['--timeout', '4s'], flag: ['--timeout', '2s'] } }, ['shop']),
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
  'variable list': behind({ ...inNamespace, ...output, '--all': adds('--all') }, [], { home }),
  'variable set': behind(
    { ...inNamespace, ...loglevel, '--all': adds('--all'), '--previews': { line: ['--all'], flag: ['--previews'] } },
    ['TAG', '2'],
    { home: ofOwner },
  ),
  'variable unset': behind({ ...inNamespace, ...loglevel, '--all': adds('--all') }, ['COLOR'], { home: ofOwner }),
}
