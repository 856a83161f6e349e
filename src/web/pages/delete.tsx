/** Deletes a namespace, or destroys a preview, after a question. */
import { useState } from 'preact/hooks'
import { destroyFault } from '../../domain/platform/preview.ts'
import { pathOf } from '../../domain/platform/web-pages.ts'
import { useChange } from '../api/use-call.ts'
import { Button } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useLooking } from '../parts/me.ts'
import { navigate } from '../parts/router.ts'
import type { Namespace, PreviewOfNamespace } from './of-namespace.ts'

/** `preview`: absent for a namespace that is none, or is not known yet to be one. */
export const Delete = ({ namespace, preview }: { namespace: Namespace; preview: PreviewOfNamespace | undefined }) => {
  const { kind, name, role } = namespace
  const { me } = useLooking()
  const [isAsking, setAsking] = useState(false)
  const [isForced, setForced] = useState(false)
  const isPreview = kind === 'preview'
  const remove = useChange(isPreview ? 'destroyPreview' : 'deleteNamespace')
  const isAllowed = isPreview
    ? preview !== undefined && destroyFault({ scope: preview.scope, isAdmin: me.isAdmin, role }) === undefined
    : role === 'owner'
  if (!isAllowed) return null
  const verb = isPreview ? 'Destroy preview' : 'Delete namespace'
  const confirm = async (): Promise<void> => {
    const query = isForced ? { force: 'true' } : {}
    if ((await remove.run({ params: { namespace: name }, query })) === undefined) return
    navigate(pathOf(isPreview ? 'previews' : 'namespaces'))
  }
  return (
    <>
      <Button kind="danger" isSmall onClick={() => setAsking(true)}>
        {verb}
      </Button>
      {isAsking && (
        <Confirm
          title={`${verb} ${name}?`}
          verb={verb}
          word={name}
          isBusy={remove.isBusy}
          failure={remove.failure}
          onConfirm={() => void confirm()}
          onClose={() => {
            remove.clear()
            setAsking(false)
          }}
        >
          <p>
            Everything in it is deleted: applications, volumes with their data, and variables. Nobody can bring them
            back. The destroy commands of what was deployed here run before.
          </p>
          <label class="check">
            <input
              type="checkbox"
              checked={isForced}
              onChange={({ currentTarget }) => setForced(currentTarget.checked)}
            />
            Leave out the destroy commands
          </label>
        </Confirm>
      )}
    </>
  )
}
