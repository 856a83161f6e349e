import { command } from '../command.ts'
import { contextFlags, reachOf } from '../flags/cluster.ts'
import { must } from '../flags/flag.ts'

export const namespaceUse = command({
  name: 'namespace use',
  group: 'Contexts',
  about: 'make a namespace the one that commands work in',
  details: 'It is remembered with the context. That it exists is checked, unless the cluster cannot be reached.',
  examples: [
    ['In the context in use', '$0 namespace use shop'],
    ['In another one', '$0 namespace use shop --context staging'],
  ],
  words: { name: must('name') },
  flags: contextFlags,
  run: async (given, { env, interruption, ports }) => {
    const { useNamespace } = await import('../../app/context/namespaces.ts')
    return useNamespace(await ports())(given.name, reachOf(given), env, interruption())
  },
})
