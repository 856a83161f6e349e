/** The commands about the platform of a cluster. */
import type { WrittenBackup } from '../../app/install/backup.ts'
import type { CollectedGarbage } from '../../app/install/collect.ts'
import type { Installed } from '../../app/install/install.ts'
import type { Restored } from '../../app/install/restore.ts'
import type { Uninstalled } from '../../app/install/uninstall.ts'
import { TOKEN_TYPE } from '../../domain/k8s/labels.ts'
import type { ChangeRow } from '../../domain/plan/change-list.ts'
import type { KeptObject } from '../../domain/platform/backup/objects.ts'
import { showGarbage } from '../../domain/platform/gc/garbage.ts'
import { GarbageList, garbageList } from '../../domain/platform/gc/listing.ts'
import { type PlatformStatus, PlatformStatusDocument } from '../../domain/platform/manifests/status.ts'
import { USERS_NAMESPACE } from '../../domain/platform/names.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

export const showInstalled = ({ fingerprint, namespace, url }: Installed): RenderedView => ({
  output: `${url}\n`,
  said: [
    `the platform is installed in namespace ${namespace}`,
    ...(fingerprint === undefined
      ? []
      : [
          `the SHA-256 of its certificate authority is ${fingerprint}; users compare this at \`devtool context use ${url}\``,
        ]),
  ],
})

export const showDiff = ({ changes }: { readonly changes: ReadonlyArray<ChangeRow> }): RenderedView => ({
  output: changes.map(({ diff }) => diff).join(''),
})

export const showUninstalled = ({ namespaces }: Uninstalled): RenderedView => ({
  said: [
    `the platform is removed; its users stay in namespace ${USERS_NAMESPACE}, and so ${namespaces === 1 ? 'does 1 namespace' : `do ${namespaces} namespaces`} of theirs`,
  ],
})

export const showPlatformStatus = (form: DataForm, status: PlatformStatus): RenderedView => {
  if (isData(form)) return { output: printData(form, PlatformStatusDocument, status) }
  const { image, namespaces, policies, programs, url, users } = status
  const rows = [
    ['address', url],
    ['image', image],
    ...programs.map((program) => [program.name, `${program.ready} of ${program.wanted} ready`]),
    ['policies', `${policies.length} in effect`],
    ['users', String(users)],
    ['namespaces', String(namespaces)],
  ]
  return { output: rows.map(([name = '', value = '']) => `${name.padEnd(12)}${value}\n`).join('') }
}

const counted = (objects: ReadonlyArray<KeptObject>): string => {
  const inUsers = ({ key }: KeptObject): boolean => key.namespace === USERS_NAMESPACE
  const count = (name: string, isCounted: (one: KeptObject) => boolean): string => {
    const number = objects.filter(isCounted).length
    return `${number} ${name}${number === 1 ? '' : 's'}`
  }
  return [
    count('user', (one) => inUsers(one) && one.key.resource.kind === 'ServiceAccount'),
    count('token', (one) => inUsers(one) && one.object['type'] === TOKEN_TYPE),
    count('namespace', ({ key }) => key.resource.kind === 'Namespace'),
  ].join(', ')
}

export const showBackup = ({ file, objects, text }: WrittenBackup): RenderedView =>
  file === undefined ? { output: text } : { said: [`wrote ${file}: ${counted(objects)}`] }

export const showRestored = ({ created, there }: Restored): RenderedView => ({
  said: [
    `restored ${counted(created)}`,
    ...(there === 0 ? [] : [`${there} objects were there already`]),
    ...(created.length === 0
      ? []
      : ['sessions in browsers are not restored, nor what ran in the namespaces: users log in and deploy again']),
  ],
})

export const showCollected = (form: DataForm, { deleted, found, isDryRun }: CollectedGarbage): RenderedView => {
  if (isData(form)) return { output: printData(form, GarbageList, garbageList(found, deleted, isDryRun)) }
  const output = (isDryRun ? found : deleted).map((one) => `${showGarbage(one)}\n`).join('')
  const left = found.length - deleted.length
  if (found.length === 0) return { said: ['there is nothing to delete'] }
  if (isDryRun) return { output, said: [`${found.length} to delete`] }
  return {
    output,
    said: [`deleted ${deleted.length}`, ...(left === 0 ? [] : [`${left} were changed meanwhile, and stay`])],
  }
}
