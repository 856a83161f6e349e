/** One run: its state, and its log. */
import { useState } from 'preact/hooks'
import { includesRole } from '../../domain/platform/role.ts'
import { pathOf, type WebPlace } from '../../domain/platform/web-pages.ts'
import { sentence } from '../../domain/text/sentence.ts'
import { useCall, useChange } from '../api/use-call.ts'
import { repositoryLink, shortRepository } from '../model/links.ts'
import { nameOfPerson, runNote, runState } from '../model/states.ts'
import { Age, Badge, Button, FailedPage, Failure, PageHead, Prose, Waiting } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { LogView } from '../parts/log-view.tsx'
import { isOver, type ListedRun, Took } from './runs.tsx'

const LOOK_MS = 3_000

const Repository = ({ branch, commit, repository }: ListedRun) => {
  if (repository === undefined) return null
  const [name, link] = [shortRepository(repository), repositoryLink(repository)]
  return (
    <span>
      from {link === undefined ? name : <a href={link}>{name}</a>}
      {branch === undefined ? '' : ` at ${branch}`}
      {commit === undefined ? '' : `, commit ${commit.slice(0, 12)}`}
    </span>
  )
}

const Cancel = ({ id, namespace, onCancelled }: ListedRun & { onCancelled: () => void }) => {
  const [isAsking, setAsking] = useState(false)
  const cancel = useChange('cancelRun')
  const confirm = async (): Promise<void> => {
    if ((await cancel.run({ params: { namespace, run: id } })) === undefined) return
    setAsking(false)
    onCancelled()
  }
  return (
    <>
      <Button kind="danger" isSmall onClick={() => setAsking(true)}>
        Cancel run
      </Button>
      {isAsking && (
        <Confirm
          title="Cancel this run?"
          verb="Cancel run"
          isBusy={cancel.isBusy}
          failure={cancel.failure}
          onConfirm={() => void confirm()}
          onClose={() => {
            cancel.clear()
            setAsking(false)
          }}
        >
          <p>It stops at the step where it is. What it has changed already stays; another run completes it.</p>
        </Confirm>
      )}
    </>
  )
}

export const RunPage = ({ params }: WebPlace) => {
  const { namespace = '', run: id = '' } = params
  const [isRead, setRead] = useState(false)
  const {
    failure,
    reload,
    value: run,
  } = useCall('getRun', { params: { namespace, run: id } }, isRead ? undefined : LOOK_MS)
  const access = useCall('getNamespace', { params: { namespace } })
  if (failure?.status === 404 || failure?.status === 400) {
    return (
      <PageHead title="There is no such run">
        <p>The last ten runs of each pipeline are kept.</p>
        <a class="button plain" href={pathOf('runs', { namespace })}>
          See the runs of {namespace}
        </a>
      </PageHead>
    )
  }
  if (run === undefined) return failure === undefined ? <Waiting /> : <FailedPage failure={failure} />
  const { action, created, environment, failure: why, status, who } = run
  const reason = runNote(run)
  const mayCancel = access.value !== undefined && includesRole(access.value.role, 'member')
  return (
    <>
      <PageHead
        title={`${action === 'deploy' ? 'Deploy' : 'Destroy'} ${environment}`}
        actions={!isOver(run) && mayCancel && <Cancel {...run} onCancelled={reload} />}
      >
        <p class="facts">
          <Badge {...runState(status)} />
          <span>
            in <a href={pathOf('runs', { namespace })}>{namespace}</a>
          </span>
          <span>
            by {nameOfPerson(who)}, <Age since={created} />
          </span>
          {run.started !== undefined && (
            <span>
              {isOver(run) ? 'took' : 'for'} <Took {...run} />
            </span>
          )}
          <Repository {...run} />
        </p>
      </PageHead>
      <Failure failure={failure} isWarning />
      {why !== undefined && (
        <div class="note bad">
          <p>
            <strong>
              <Prose text={why.message} />
            </strong>{' '}
            <span class="code">{why.code}</span>
          </p>
          {why.help !== undefined && (
            <p>
              <Prose text={`${sentence(why.help)}.`} />
            </p>
          )}
        </div>
      )}
      {reason !== undefined && (
        <p class="note" role="status">
          {reason}
        </p>
      )}
      <LogView
        namespace={namespace}
        run={id}
        onEnd={() => {
          setRead(true)
          reload()
        }}
      />
    </>
  )
}
