/** `deploy`, `destroy` and `dependencies`: the commands to run, and the other files and repositories involved. */

import { endpoints } from '../../compose/fields/endpoints.ts'
import { defined } from '../../object/defined.ts'
import { type Fields, maps, object, warns } from '../../shape/field.ts'
import {
  anything,
  byForm,
  entriesOf,
  flag,
  listOf,
  located,
  oneOrMore,
  pairs,
  text,
  textOrNumber,
  type ValueOf,
} from '../../shape/shape.ts'
import type { Node } from '../../yaml/node.ts'
import { mapped, shortOr, unread } from './shapes.ts'

const isFalse = (node: Node): boolean => node._tag === 'Scalar' && /^(?:false|no|off|n|0)$/i.test(node.text)

const command = {
  name: maps(text, 'label of its output', 'name of the command; default: its first line'),
  command: maps(text, 'run by bash', 'command for the shell', 'the shell expands its variables'),
} satisfies Fields

export const commands = listOf(shortOr('scalar', text, (written) => ({ command: written }), object(command)))

const selection = {
  file: maps(text, 'a Compose file', 'path, relative to the manifest'),
  services: maps(oneOrMore(text), 'which services are deployed', 'only these services and those they depend on'),
} satisfies Fields

const selectionItem = shortOr('scalar', text, (written) => ({ file: written }), object(selection))
const selections = oneOrMore(selectionItem)

const legacyFields = {
  ...selection,
  manifest: maps(selections, 'Compose files', 'older name for this section'),
} satisfies Fields

const legacy = mapped(object(legacyFields), ({ at, path, value }) => {
  const { file, manifest, services } = value
  const own = defined({ file, services })
  const isOwn = manifest === undefined || Object.keys(own).length > 0
  return located([...(manifest?.value ?? []), ...(isOwn ? [located(own, at, path)] : [])], at, path)
})

export const compose = {
  ...byForm({ scalar: selections, list: selections, mapping: legacy }),
  name: 'a string, a list or a mapping',
}

const inCluster = 'commands run on this machine; only the platform runs them elsewhere'

const place = {
  image: warns(text, inCluster, 'image to run the commands in'),
  remote: warns(flag, inCluster, 'run the commands in the cluster', isFalse),
  context: warns(text, inCluster, 'folder to send along'),
} satisfies Fields

const deployFields = {
  commands: maps(commands, 'run by bash', 'commands, in this order'),
  compose: maps(compose, 'the plan', 'Compose files to deploy after the commands'),
  endpoints: maps(unread(endpoints), 'Ingress', 'public routes; replace those of the Compose files'),
  divert: warns(anything, 'only the platform diverts traffic', 'send traffic from another namespace here'),
  ...place,
} satisfies Fields

const destroyFields = {
  commands: maps(commands, 'run by bash', 'commands, in this order'),
  ...place,
} satisfies Fields

const listed = (written: ValueOf<typeof commands>) => ({ commands: written })

export const deploy = shortOr('list', commands, listed, object(deployFields))
export const destroy = shortOr('list', commands, listed, object(destroyFields))

const dependency = {
  repository: maps(text, 'git clone', 'URL of a git repository; required'),
  manifest: maps(text, 'which file of it is deployed', 'path in the repository; default: found as in any folder'),
  branch: maps(text, 'git clone', 'branch; default: the main branch'),
  variables: maps(pairs(), 'as --var of its deploy', 'variables'),
  timeout: maps(textOrNumber, 'as --timeout of its deploy', 'maximum time to wait; a number counts seconds'),
  wait: maps(flag, 'whether its exported variables are available here', 'wait until it is deployed; default: false'),
} satisfies Fields

export const dependencies = byForm({
  list: listOf(text),
  mapping: entriesOf(shortOr('scalar', text, (written) => ({ repository: written }), object(dependency))),
})
