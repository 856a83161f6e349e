/** The kubeconfig that leads a command to the proxy, in a private temporary folder. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeScratchFolder, type ScratchFolder } from '../../process/scratch-folder.ts'

type Leads = {
  readonly port: number
  readonly certificate: string
  readonly token: string
  readonly context: string
  readonly namespace: string
}

/** JSON is valid YAML. */
const kubeconfigText = ({ certificate, context, namespace, port, token }: Leads): string => {
  const name = 'devtool'
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    'certificate-authority-data': Buffer.from(certificate).toString('base64'),
  }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }],
    users: [{ name, user: { token } }],
    contexts: [{ name: context, context: { cluster: name, user: name, namespace } }],
    'current-context': context,
  }
  return `${JSON.stringify(config, undefined, 2)}\n`
}

/** `remove` removes the folder with everything in it, such as discovery caches of commands. */
export const writeKubeconfig = async (leads: Leads): Promise<ScratchFolder> => {
  const { path: folder, remove } = await makeScratchFolder()
  const path = join(folder, 'kubeconfig')
  await writeFile(path, kubeconfigText(leads), { mode: 0o600 })
  return { path, remove }
}
