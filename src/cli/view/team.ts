/** Messages of platform commands: logins, namespaces, members and variables. */
import type { LoggedOut } from '../../app/context/logout.ts'
import type { NamespaceUsed } from '../../app/context/namespaces.ts'
import type { MemberChanged } from '../../app/namespaces/members.ts'
import type { NamespaceDeleted } from '../../app/namespaces/namespaces.ts'
import type { VariableChanged } from '../../app/namespaces/variables.ts'
import type { ExecCredential } from '../../domain/platform/exec-credential.ts'
import { MemberList, NamespaceList, VariableList } from '../../domain/platform/listings.ts'
import { printTable } from '../../domain/print/table.ts'
import type { ListForm } from '../flags/forms.ts'
import { showOverriding } from './context.ts'
import { isData, printData } from './data.ts'
import { showFailures, shownStatus } from './failures.ts'
import type { RenderedView } from './view.ts'

const lines = (texts: ReadonlyArray<string>): string => texts.map((text) => `${text}\n`).join('')

export const showLoggedOut = ({ url }: LoggedOut): RenderedView => ({ said: [`logged out of ${url}`] })

/** On one line: kubectl reads it, not people. */
export const showExecCredential = (credential: ExecCredential): RenderedView => ({
  output: `${JSON.stringify(credential)}\n`,
})

export const showNamespaceCreated = ({ context, namespace, overriding }: NamespaceUsed): RenderedView => ({
  said: [`created namespace ${namespace} of ${context}, which commands use now`, ...showOverriding(overriding)],
})

export const showNamespaceDeleted = ({ context, namespace }: NamespaceDeleted): RenderedView => ({
  said: [`deleted namespace ${namespace} of ${context}`],
})

export const showNamespaces = (form: ListForm, list: NamespaceList): RenderedView => {
  const { namespaces } = list
  if (isData(form)) return { output: printData(form, NamespaceList, list) }
  if (form === 'name') return { output: lines(namespaces.map(({ name }) => name)) }
  const cells = namespaces.map((one) => [one.isCurrent ? `${one.name} *` : one.name, shownStatus(one)])
  return { output: printTable(['Namespace', 'Status'], cells), said: showFailures(namespaces) }
}

export const showMembers = (form: ListForm, list: MemberList): RenderedView => {
  const { members } = list
  if (isData(form)) return { output: printData(form, MemberList, list) }
  if (form === 'name') return { output: lines(members.map(({ email, user }) => email || user)) }
  return {
    output: printTable(
      ['Member', 'Role'],
      members.map(({ email, role, user }) => [email || user, role]),
    ),
  }
}

export const showMemberChanged = ({ namespace, role, user }: MemberChanged): RenderedView => ({
  said: [role === undefined ? `${user} has no access to ${namespace} any more` : `${user} is ${role} of ${namespace}`],
})

export const showVariables = (form: ListForm, list: VariableList): RenderedView => {
  const { variables } = list
  if (isData(form)) return { output: printData(form, VariableList, list) }
  if (form === 'name') return { output: lines(variables.map(({ name }) => name)) }
  const scopeOf = (scope: string, inPreviews: boolean): string => (inPreviews ? `${scope}, previews` : scope)
  const cells = variables.map(({ inPreviews = false, name, scope }) => [name, scopeOf(scope, inPreviews)])
  return { output: printTable(['Variable', 'Scope'], cells) }
}

const whereOf = ({ namespace }: VariableChanged): string =>
  namespace === undefined ? 'for all namespaces' : `in namespace ${namespace}`

export const showVariableSet = (changed: VariableChanged): RenderedView => ({
  said: [`set ${changed.name} ${whereOf(changed)}`],
})

export const showVariableUnset = (changed: VariableChanged): RenderedView => ({
  said: [`deleted ${changed.name} ${whereOf(changed)}`],
})
