/** All users who have logged in: administrators change their permissions. */
import { useState } from 'preact/hooks'
import type { CallAnswer } from '../api/routes.ts'
import { useCall, useChange } from '../api/use-call.ts'
import { plural } from '../model/summary.ts'
import { Badge, Button, Empty, Failure, Field, Note, Waiting } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useLooking } from '../parts/me.ts'
import { Table } from '../parts/table.tsx'

type User = CallAnswer<'listUsers'>['users'][number]

export const Users = () => {
  const { me } = useLooking()
  const { failure, reload, value } = useCall('listUsers')
  const [typed, setTyped] = useState('')
  const [changed, setChanged] = useState('')
  const [going, setGoing] = useState<User>()
  const set = useChange('setUser')
  if (value === undefined) return failure === undefined ? <Waiting /> : <Failure failure={failure} />
  const rows = value.users.filter(({ email }) => email.toLowerCase().includes(typed.trim().toLowerCase()))

  const change = async ({ email, id }: User, body: Partial<User>, text: string): Promise<boolean> => {
    setChanged('')
    const isDone = (await set.run({ params: { user: id }, body })) !== undefined
    if (isDone) setChanged(`${email} ${text}.`)
    reload()
    return isDone
  }
  const disable = async (user: User): Promise<void> => {
    if (await change(user, { isDisabled: true }, 'may not log in any more')) setGoing(undefined)
  }

  const columns = [
    {
      title: 'Who',
      cell: ({ email, id }: User) => (
        <>
          {email}
          {id === me.id && <span class="muted"> (you)</span>}
        </>
      ),
    },
    {
      title: 'Role',
      isLong: true,
      cell: (user: User) =>
        user.id === me.id ? (
          'Administrator'
        ) : (
          <select
            aria-label={`Role of ${user.email}`}
            value={user.isAdmin ? 'admin' : 'developer'}
            disabled={set.isBusy}
            onChange={({ currentTarget }) => {
              const isAdmin = currentTarget.value === 'admin'
              void change(user, { isAdmin }, isAdmin ? 'is an administrator now' : 'is no administrator any more')
            }}
          >
            <option value="developer">Developer</option>
            <option value="admin">Administrator</option>
          </select>
        ),
    },
    {
      title: 'State',
      cell: ({ isDisabled }: User) =>
        isDisabled ? <Badge tone="quiet" text="Disabled" /> : <Badge tone="good" text="Active" />,
    },
    {
      title: 'Actions',
      isQuiet: true,
      cell: (user: User) => {
        if (user.id === me.id) return null
        return user.isDisabled ? (
          <Button
            isBusy={set.isBusy}
            onClick={() => void change(user, { isDisabled: false }, 'may log in again')}
            aria-label={`Enable ${user.email}`}
          >
            Enable
          </Button>
        ) : (
          <Button onClick={() => setGoing(user)} aria-label={`Disable ${user.email}`}>
            Disable
          </Button>
        )
      },
    },
  ]
  return (
    <>
      <search>
        <Field label="Search" help={`${plural(rows.length, 'user')} of ${value.users.length}`}>
          {(props) => (
            <input
              {...props}
              type="search"
              value={typed}
              placeholder="Part of an address"
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </Field>
      </search>
      {going === undefined && <Failure failure={set.failure ?? failure} isWarning />}
      {changed !== '' && <Note>{changed}</Note>}
      {rows.length === 0 ? (
        <Empty title={`Nobody has “${typed}” in the address`}>
          <p>Users appear here after their first login.</p>
        </Empty>
      ) : (
        <div class="card flush">
          <Table caption="Users" rows={rows} keyOf={({ id }) => id} columns={columns} />
        </div>
      )}
      {going !== undefined && (
        <Confirm
          title={`Disable ${going.email}?`}
          verb="Disable user"
          isBusy={set.isBusy}
          failure={set.failure}
          onConfirm={() => void disable(going)}
          onClose={() => {
            set.clear()
            setGoing(undefined)
          }}
        >
          <p>
            All their tokens are revoked and their sessions end. What they have deployed stays, and so do their roles.
          </p>
        </Confirm>
      )}
    </>
  )
}
