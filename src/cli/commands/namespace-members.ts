import { command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { defaulted, must } from '../flags/flag.ts'
import { listForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { oneOf } from '../flags/read.ts'
import { teamOf } from '../team.ts'
import { viewed } from '../view/view.ts'

const roles = ['viewer', 'member', 'owner'] as const

const only = (what: string) => ({
  what: `namespace members ${what}`,
  instead: 'RoleBindings in the namespace say who has access: `kubectl get rolebindings`',
})

const user = must('user')

export const namespaceMembersList = command({
  name: 'namespace members list',
  group: 'Platform',
  about: 'list who has access to the namespace',
  examples: [
    ['As a table', '$0 namespace members list'],
    ['Of another namespace', '$0 namespace members list --namespace shop'],
  ],
  isSilent: true,
  words: {},
  flags: { ...clusterFlags, output: output(listForms, 'text') },
  run: async (given, call) => {
    const { listMembers } = await import('../../app/namespaces/members.ts')
    const { showMembers } = await import('../view/team.ts')
    const team = await teamOf(call, given, only('list'))
    return viewed(await listMembers(team.ports)(team.call), (list) => showMembers(given.output, list))
  },
})

export const namespaceMembersAdd = command({
  name: 'namespace members add',
  group: 'Platform',
  about: 'give a user access to the namespace, or another role in it',
  details: `
    Only an owner may. The user is named by e-mail address or id, and has logged in before. A viewer reads, a member deploys, an owner also adds members and deletes the namespace.
  `,
  examples: [
    ['A member', '$0 namespace members add bob@example.com'],
    ['Someone who only looks', '$0 namespace members add eve@example.com --role viewer'],
  ],
  words: { user },
  flags: {
    ...clusterFlags,
    role: defaulted(
      '--role',
      { value: 'ROLE', values: roles, about: 'viewer, member or owner; default member' },
      'member',
      (flag, text) => oneOf(flag, text, roles),
    ),
  },
  run: async (given, call) => {
    const { addMember } = await import('../../app/namespaces/members.ts')
    const { showMemberChanged } = await import('../view/team.ts')
    const team = await teamOf(call, given, only('add'))
    return viewed(await addMember(team.ports)(given.user, given.role, team.call), showMemberChanged)
  },
})

export const namespaceMembersRemove = command({
  name: 'namespace members remove',
  group: 'Platform',
  about: 'take away the access of a user to the namespace',
  examples: [['A user', '$0 namespace members remove bob@example.com']],
  words: { user },
  flags: clusterFlags,
  run: async (given, call) => {
    const { removeMember } = await import('../../app/namespaces/members.ts')
    const { showMemberChanged } = await import('../view/team.ts')
    const team = await teamOf(call, given, only('remove'))
    return viewed(await removeMember(team.ports)(given.user, team.call), showMemberChanged)
  },
})
