/** The commands about the platform of a cluster. */
import type { Installed } from '../../app/install/install.ts'
import type { Uninstalled } from '../../app/install/uninstall.ts'
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
