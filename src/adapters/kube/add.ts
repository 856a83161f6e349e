/** Adds a cluster, user and context to a kubeconfig: comments and all other entries stay. */
import { isMap, isSeq, parseDocument } from 'yaml'
import type { JsonObject } from '../../domain/cluster/json.ts'
import type { Clusters } from '../../ports/clusters.ts'

type Entry = Parameters<Clusters['add']>[0]

const API_VERSION = 'client.authentication.k8s.io/v1'

const entriesOf = ({
  authority,
  command,
  name,
  namespace,
  server,
}: Entry): ReadonlyArray<readonly [string, JsonObject]> => {
  const [program = '', ...args] = command
  const trust = authority === '' ? {} : { 'certificate-authority-data': Buffer.from(authority).toString('base64') }
  const exec = { apiVersion: API_VERSION, command: program, args: [...args], interactiveMode: 'Never' }
  return [
    ['clusters', { name, cluster: { server, ...trust } }],
    ['users', { name, user: { exec: { ...exec, provideClusterInfo: false } } }],
    ['contexts', { name, context: { cluster: name, user: name, ...(namespace === '' ? {} : { namespace }) } }],
  ]
}

const blank = 'apiVersion: v1\nkind: Config\n'

/** `undefined` when the text is not a kubeconfig. */
export const withEntry = (text: string, entry: Entry): string | undefined => {
  const document = parseDocument(text.trim() === '' ? blank : text)
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined
  for (const [list, value] of entriesOf(entry)) {
    const found: unknown = document.get(list)
    if (!isSeq(found)) document.set(list, document.createNode([value]))
    else {
      const at = found.items.findIndex((item) => isMap(item) && item.get('name') === entry.name)
      const node = document.createNode(value)
      if (at === -1) found.items.push(node)
      else found.items[at] = node
    }
  }
  document.set('current-context', entry.name)
  return document.toString({ lineWidth: 0 })
}
