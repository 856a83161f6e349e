/** What commands print about a platform. */
import * as t from 'io-ts'
import { type DataOf, document, keys, oneOf } from '../print/document.ts'
import { failed, sleep } from './deletion-record.ts'
import { NamespaceRole } from './role.ts'

const NamespaceRow = keys(
  {
    name: [t.string, 'name of the namespace'],
    status: [oneOf('Active', 'Deleting', 'DeleteFailed'), 'whether it can be used'],
    role: [NamespaceRole, 'what you may do in it'],
    kind: [oneOf('namespace', 'preview'), 'what it was created as'],
    isCurrent: [t.boolean, 'whether commands use it'],
  },
  { ...sleep, ...failed },
)

export const NamespaceList = document('namespace list', 'Your namespaces on a platform.', {
  namespaces: [t.readonlyArray(NamespaceRow), 'by name'],
})
export type NamespaceList = DataOf<typeof NamespaceList>

const MemberRow = keys({
  user: [t.string, 'id of the user, or `everybody`'],
  email: [t.string, 'e-mail address, or empty'],
  role: [NamespaceRole, 'what the user may do'],
})

export const MemberList = document('namespace members list', 'Who has access to a namespace of a platform.', {
  namespace: [t.string, 'the namespace'],
  members: [t.readonlyArray(MemberRow), 'by id'],
})
export type MemberList = DataOf<typeof MemberList>

const VariableRow = keys(
  {
    name: [t.string, 'name of the variable'],
    scope: [oneOf('all', 'namespace'), 'whether it is for all namespaces, or of this one'],
  },
  { inPreviews: [t.boolean, 'with `--all`: whether previews get it, too'] },
)

export const VariableList = document('variable list', 'Variables of a platform, without their values.', {
  variables: [t.readonlyArray(VariableRow), 'by name'],
})
export type VariableList = DataOf<typeof VariableList>
