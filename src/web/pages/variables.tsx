/** The variables that deploys in a namespace get. */
import { useCall, useChange } from '../api/use-call.ts'
import { Empty, Failure, Waiting } from '../parts/basics.tsx'
import { VariableList } from '../parts/variables.tsx'
import type { Namespace } from './of-namespace.ts'

const Known = ({ name }: { name: string }) => {
  const params = { namespace: name }
  const { failure, reload, value } = useCall('listVariables', { params })
  const set = useChange('setVariable')
  const unset = useChange('unsetVariable')
  if (value === undefined) return failure === undefined ? <Waiting /> : <Failure failure={failure} />
  const rows = value.variables.map((one) => ({
    name: one.name,
    note: one.scope === 'all' ? 'All namespaces' : 'This namespace',
    isOwn: one.scope === 'namespace',
  }))
  const kept = (done: object | undefined): boolean => {
    if (done !== undefined) reload()
    return done !== undefined
  }
  return (
    <>
      <Failure failure={failure} isWarning />
      <p class="muted">
        Every deploy in {name} gets them. Whoever may deploy here can read their values, so do not keep what they must
        not know.
      </p>
      <VariableList
        caption={`Variables of ${name}`}
        rows={rows}
        isBusy={set.isBusy || unset.isBusy}
        failure={set.failure ?? unset.failure}
        set={async (variable, text) =>
          kept(await set.run({ params: { ...params, name: variable }, body: { value: text } }))
        }
        unset={async (variable) => kept(await unset.run({ params: { ...params, name: variable } }))}
        clear={() => {
          set.clear()
          unset.clear()
        }}
      />
    </>
  )
}

export const Variables = ({ namespace: { name, role } }: { namespace: Namespace }) =>
  role === 'viewer' ? (
    <Empty title="Variables are for members">
      <p>Your role is viewer. Ask an owner of {name} for the role member to see and set its variables.</p>
    </Empty>
  ) : (
    <Known name={name} />
  )
