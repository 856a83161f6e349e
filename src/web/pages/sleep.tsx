/** Puts a namespace to sleep, and wakes it. */
import { useState } from 'preact/hooks'
import { includesRole } from '../../domain/platform/role.ts'
import { useCall, useChange } from '../api/use-call.ts'
import { Button, Card, Command, Failure } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import type { Namespace } from './of-namespace.ts'

/** `done`: once it is under way. */
const useSleep = (verb: 'sleepNamespace' | 'wakeNamespace', namespace: string) => {
  const params = { namespace }
  const [one, services] = [useCall('getNamespace', { params }), useCall('listServices', { params })]
  const change = useChange(verb)
  const run = async (): Promise<boolean> => {
    if (change.isBusy) return false
    const isDone = (await change.run({ params })) !== undefined
    one.reload()
    services.reload()
    return isDone
  }
  return {
    ...change,
    run,
    hasServices: services.value?.environments.some(({ services: all }) => all.length > 0) === true,
  }
}

export const Sleep = ({ isAsleep = false, name, role, status }: Namespace) => {
  const [isAsking, setAsking] = useState(false)
  const { clear, failure, hasServices, isBusy, run } = useSleep('sleepNamespace', name)
  if (isAsleep || status !== 'Active' || !hasServices || !includesRole(role, 'member')) return null
  return (
    <>
      <Button isSmall onClick={() => setAsking(true)}>
        Put to sleep
      </Button>
      {isAsking && (
        <Confirm
          title={`Put ${name} to sleep?`}
          verb="Put to sleep"
          isHarmless
          isBusy={isBusy}
          failure={failure}
          onConfirm={() => void run().then((isDone) => isDone && setAsking(false))}
          onClose={() => {
            clear()
            setAsking(false)
          }}
        >
          <p>
            Everything that runs in it is stopped, and its addresses do not answer, until a member wakes it. Nothing is
            lost: data and settings stay.
          </p>
        </Confirm>
      )}
    </>
  )
}

export const Asleep = ({ name, role }: Namespace) => {
  const { failure, isBusy, run } = useSleep('wakeNamespace', name)
  return (
    <Card title="This namespace sleeps" about="What runs here is stopped, and nothing of it is lost.">
      {includesRole(role, 'member') ? (
        <>
          <Failure failure={failure} />
          <p>
            <Button kind="primary" isBusy={isBusy} onClick={() => void run()}>
              {isBusy ? 'Waking…' : 'Wake it'}
            </Button>
          </p>
          <p class="muted">A deploy wakes it as well, and so does this command:</p>
          <Command
            label="wake command"
            text={`devtool namespace wake --context ${location.origin} --namespace ${name}`}
          />
        </>
      ) : (
        <p>Members and owners can wake it.</p>
      )}
    </Card>
  )
}
