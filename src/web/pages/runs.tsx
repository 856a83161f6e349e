/** The runs of a namespace: deploys and destroys by the platform. */
import { pathOf } from '../../domain/platform/web-pages.ts'
import { showAge } from '../../domain/text/moment.ts'
import type { CallAnswer } from '../api/routes.ts'
import { useCall } from '../api/use-call.ts'
import { nameOfPerson, runState } from '../model/states.ts'
import { Age, Badge, Command, Empty, Failure, useTick, Waiting } from '../parts/basics.tsx'
import { SetUp } from '../parts/install.tsx'
import { useAddress } from '../parts/router.ts'
import { Table } from '../parts/table.tsx'
import type { Namespace } from './of-namespace.ts'

export type ListedRun = CallAnswer<'getRun'>

const LOOK_MS = 5_000

export const isOver = ({ status }: ListedRun): boolean => status !== 'queued' && status !== 'running'

const SoFar = ({ started }: { started: string }) => {
  useTick(1_000)
  return <>{showAge(started, new Date().toISOString())}</>
}

/** How long it took, or has taken so far. */
export const Took = (run: ListedRun) => {
  const { ended, started } = run
  if (started === undefined) return <span>–</span>
  if (!isOver(run)) return <SoFar started={started} />
  return <span>{ended === undefined ? '–' : showAge(started, ended)}</span>
}

const columns = [
  {
    title: 'Run',
    cell: ({ action, environment, id, namespace }: ListedRun) => (
      <a href={pathOf('run', { namespace, run: id })}>
        {action === 'deploy' ? 'Deploy' : 'Destroy'} {environment}
      </a>
    ),
  },
  { title: 'State', cell: ({ status }: ListedRun) => <Badge {...runState(status)} /> },
  { title: 'By', isLong: true, cell: ({ who }: ListedRun) => nameOfPerson(who) },
  { title: 'Branch', cell: ({ branch }: ListedRun) => branch ?? '' },
  { title: 'Duration', isShort: true, cell: (run: ListedRun) => <Took {...run} /> },
  { title: 'Started', isShort: true, cell: ({ created }: ListedRun) => <Age since={created} /> },
]

export const Runs = ({ namespace: { name } }: { namespace: Namespace }) => {
  const { query } = useAddress()
  const from = query.get('continue') ?? undefined
  const { failure, value } = useCall('listRuns', { params: { namespace: name }, query: { continue: from } }, LOOK_MS)
  if (value === undefined) return failure === undefined ? <Waiting /> : <Failure failure={failure} />
  const older = value.next
  return (
    <>
      <Failure failure={failure} isWarning />
      {value.runs.length === 0 ? (
        <Empty title="There are no runs yet">
          <p>A run deploys a repository inside the cluster. Start one in a terminal, in a clone of the repository:</p>
          <Command label="pipeline command" text={`devtool pipeline deploy --wait --namespace ${name}`} />
          <SetUp />
        </Empty>
      ) : (
        <div class="card flush">
          <Table caption={`Runs of ${name}`} rows={value.runs} keyOf={({ id }) => id} columns={columns} />
        </div>
      )}
      <p class="row">
        {from !== undefined && <a href={pathOf('runs', { namespace: name })}>Newest runs</a>}
        {older !== undefined && (
          <a href={`${pathOf('runs', { namespace: name })}?${new URLSearchParams({ continue: older }).toString()}`}>
            Older runs
          </a>
        )}
      </p>
    </>
  )
}
