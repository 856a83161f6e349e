/** One namespace: what runs in it, who may use it, and its variables. */
import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { pathOf, type WebPageId, type WebPlace } from '../../domain/platform/web-pages.ts'
import { useCall, useChange } from '../api/use-call.ts'
import { namespaceState } from '../model/states.ts'
import { Age, Badge, Button, Failure, PageHead, Waiting } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useLooking } from '../parts/me.ts'
import { navigate } from '../parts/router.ts'
import { Members } from './members.tsx'
import type { Namespace } from './of-namespace.ts'
import { Runs } from './runs.tsx'
import { Services } from './services.tsx'
import { Variables } from './variables.tsx'

type Part = {
  readonly page: WebPageId
  readonly title: string
  readonly Content: ComponentType<{ readonly namespace: Namespace }>
}

const parts: ReadonlyArray<Part> = [
  { page: 'namespace', title: 'Services', Content: Services },
  { page: 'runs', title: 'Runs', Content: Runs },
  { page: 'members', title: 'Members', Content: Members },
  { page: 'variables', title: 'Variables', Content: Variables },
]

const Delete = ({ name }: Namespace) => {
  const [isAsking, setAsking] = useState(false)
  const [isForced, setForced] = useState(false)
  const remove = useChange('deleteNamespace')
  const confirm = async (): Promise<void> => {
    const query = isForced ? { force: 'true' } : {}
    if ((await remove.run({ params: { namespace: name }, query })) !== undefined) navigate(pathOf('namespaces'))
  }
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        Delete namespace
      </Button>
      {isAsking && (
        <Confirm
          title={`Delete ${name}?`}
          verb="Delete namespace"
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

/** A namespace without access is shown like one that does not exist. */
const Absent = ({ name }: { name: string }) => (
  <PageHead title={`There is no namespace ${name}`}>
    <p>It may have been deleted, or nobody has added you to it: ask its owner.</p>
    <a class="button plain" href={pathOf('namespaces')}>
      See your namespaces
    </a>
  </PageHead>
)

export const NamespacePage = ({ page, params }: WebPlace) => {
  const { namespace: name = '' } = params
  const { me } = useLooking()
  const { failure, value: namespace } = useCall('getNamespace', { params: { namespace: name } }, 10_000)
  const part = parts.find((one) => one.page === page)
  if (failure?.status === 404 || part === undefined) return <Absent name={name} />
  const owner = namespace?.owner === me.id ? 'you' : undefined
  return (
    <>
      <PageHead
        title={name}
        actions={namespace?.role === 'owner' && namespace.status !== 'Deleting' && <Delete {...namespace} />}
      >
        <p class="facts">
          {namespace === undefined ? (
            <span class="muted">Loading…</span>
          ) : (
            <>
              <Badge {...namespaceState(namespace.status)} />
              <span>
                Your role is <strong>{namespace.role}</strong>
              </span>
              <span>
                Created <Age since={namespace.created} /> {owner === undefined ? '' : `by ${owner}`}
              </span>
            </>
          )}
        </p>
      </PageHead>
      <nav class="tabs" aria-label={`Parts of ${name}`}>
        {parts.map((one) => (
          <a
            key={one.page}
            href={pathOf(one.page, { namespace: name })}
            aria-current={one.page === page ? 'page' : undefined}
          >
            {one.title}
          </a>
        ))}
      </nav>
      <Failure failure={failure} isWarning={namespace !== undefined} />
      {namespace === undefined ? failure === undefined && <Waiting /> : <part.Content namespace={namespace} />}
    </>
  )
}
