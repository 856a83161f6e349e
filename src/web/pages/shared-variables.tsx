/** The variables that deploys in all namespaces get. */
import { useState } from 'preact/hooks'
import { useCall, useChange } from '../api/use-call.ts'
import { Failure, Waiting } from '../parts/basics.tsx'
import { VariableList } from '../parts/variables.tsx'

export const SharedVariables = () => {
  const { failure, reload, value } = useCall('listSharedVariables')
  const [inPreviews, setInPreviews] = useState(false)
  const set = useChange('setSharedVariable')
  const unset = useChange('unsetSharedVariable')
  if (value === undefined) return failure === undefined ? <Waiting /> : <Failure failure={failure} />
  const rows = value.variables.map((one) => ({
    name: one.name,
    note: one.inPreviews ? 'All namespaces, and previews' : 'All namespaces',
    isOwn: true,
  }))
  const kept = (done: object | undefined): boolean => {
    if (done !== undefined) reload()
    return done !== undefined
  }
  return (
    <>
      <Failure failure={failure} isWarning />
      <p class="muted">
        Deploys in every namespace get them, unless the namespace has one of the same name. All who deploy can read
        their values.
      </p>
      <VariableList
        caption="Variables for all namespaces"
        rows={rows}
        isBusy={set.isBusy || unset.isBusy}
        failure={set.failure ?? unset.failure}
        set={async (name, text) => kept(await set.run({ params: { name }, body: { value: text, inPreviews } }))}
        unset={async (name) => kept(await unset.run({ params: { name } }))}
        clear={() => {
          set.clear()
          unset.clear()
        }}
      >
        <label class="check">
          <input
            type="checkbox"
            checked={inPreviews}
            onChange={({ currentTarget }) => setInPreviews(currentTarget.checked)}
          />
          Previews get it, too: also those of code that nobody has reviewed
        </label>
      </VariableList>
    </>
  )
}
