import { deadline } from '../../app/concurrency/deadline.ts'
import { command } from '../command.ts'
import { contextFlags } from '../flags/cluster.ts'
import { flag, must } from '../flags/flag.ts'
import { timeout } from '../flags/run.ts'
import { teamOf } from '../team.ts'
import { viewed } from '../view/view.ts'

const only = {
  what: 'namespace delete',
  instead: 'take down what is in it with `devtool destroy --all`, then `kubectl delete namespace NAME`',
}

export const namespaceDelete = command({
  name: 'namespace delete',
  group: 'Platform',
  about: 'delete a namespace of the platform, and everything in it',
  details: `
    Only an owner may. It waits until the namespace is gone, volumes included; the platform continues if the command ends earlier. The destroy commands of its environments run first.
  `,
  examples: [
    ['A namespace', '$0 namespace delete shop-ann'],
    ['Even if its destroy commands fail', '$0 namespace delete shop-ann --force'],
  ],
  words: { name: must('name', { offers: 'namespaces' }) },
  flags: { ...contextFlags, force: flag('--force', 'skip the destroy commands'), timeout },
  run: async (given, call) => {
    const { deleteNamespace } = await import('../../app/namespaces/namespaces.ts')
    const { showNamespaceDeleted } = await import('../view/team.ts')
    const team = await teamOf(call, given, only)
    const { clear, signal } = deadline(team.ports.clock, given.timeout, call.interruption())
    const deleted = await deleteNamespace(team.ports)(given.name, given.force, { ...team.call, signal })
    clear()
    return viewed(deleted, showNamespaceDeleted)
  },
})
