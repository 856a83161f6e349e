/** The members of a namespace. */
import { useState } from 'preact/hooks'
import { sentence } from '../../domain/text/sentence.ts'
import type { CallAnswer } from '../api/routes.ts'
import { useCall, useChange } from '../api/use-call.ts'
import { Button, Card, Failure, Field, Note, Waiting } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useLooking } from '../parts/me.ts'
import { Table } from '../parts/table.tsx'
import type { Namespace } from './of-namespace.ts'

type Member = CallAnswer<'listMembers'>['members'][number]
type Role = Member['role']

const roles: ReadonlyArray<readonly [role: Role, title: string, about: string]> = [
  ['viewer', 'Viewer', 'Sees what runs, and its logs.'],
  ['member', 'Member', 'Deploys, develops, and sets variables.'],
  ['owner', 'Owner', 'Also manages members, and may delete the namespace.'],
]

const nameOf = ({ email, user }: Member): string => (user === 'everybody' ? 'Everybody' : email === '' ? user : email)

const isRole = (text: string): text is Role => roles.some(([role]) => role === text)

const options = roles.map(([role, title]) => (
  <option key={role} value={role}>
    {title}
  </option>
))

const AddMember = ({ name, onAdded }: { name: string; onAdded: (email: string) => void }) => {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const add = useChange('setMember')
  const submit = async (): Promise<void> => {
    if (email.trim() === '' || add.isBusy) return
    const added = await add.run({ params: { namespace: name, user: email.trim() }, body: { role } })
    if (added === undefined) return
    setEmail('')
    onAdded(added.email)
  }
  return (
    <Card title="Add a member">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Field
          label="E-mail address"
          help="Of somebody who has logged in to this platform before."
          fault={add.failure && `${add.failure.title}. ${add.failure.detail}`}
        >
          {(props) => (
            <input
              {...props}
              type="email"
              required
              value={email}
              autocomplete="off"
              onInput={({ currentTarget }) => {
                add.clear()
                setEmail(currentTarget.value)
              }}
            />
          )}
        </Field>
        <Field label="Role" help={roles.find(([one]) => one === role)?.[2]}>
          {(props) => (
            <select
              {...props}
              value={role}
              onChange={({ currentTarget: { value } }) => isRole(value) && setRole(value)}
            >
              {options}
            </select>
          )}
        </Field>
        <Button type="submit" kind="primary" isBusy={add.isBusy}>
          Add member
        </Button>
      </form>
    </Card>
  )
}

export const Members = ({ namespace: { name, role } }: { namespace: Namespace }) => {
  const { me } = useLooking()
  const { failure, reload, value } = useCall('listMembers', { params: { namespace: name } })
  const [changed, setChanged] = useState('')
  const [leaving, setLeaving] = useState<Member>()
  const set = useChange('setMember')
  const remove = useChange('removeMember')
  if (value === undefined) return failure === undefined ? <Waiting /> : <Failure failure={failure} />
  const isOwner = role === 'owner'

  const done = (text: string): void => {
    setChanged(text)
    reload()
  }
  const change = async (member: Member, to: string): Promise<void> => {
    if (!isRole(to)) return
    setChanged('')
    const made = await set.run({ params: { namespace: name, user: member.user }, body: { role: to } })
    if (made !== undefined) done(`${nameOf(member)} is ${to} now.`)
    else reload()
  }
  const take = async (member: Member): Promise<void> => {
    if ((await remove.run({ params: { namespace: name, user: member.user } })) === undefined) return
    setLeaving(undefined)
    done(`${nameOf(member)} is no member any more.`)
  }

  const columns = [
    {
      title: 'Who',
      cell: (member: Member) => (
        <>
          {nameOf(member)}
          {member.user === me.id && <span class="muted"> (you)</span>}
        </>
      ),
    },
    {
      title: 'Role',
      cell: (member: Member) =>
        isOwner && member.user !== 'everybody' ? (
          <select
            aria-label={`Role of ${nameOf(member)}`}
            value={member.role}
            disabled={set.isBusy}
            onChange={({ currentTarget }) => void change(member, currentTarget.value)}
          >
            {options}
          </select>
        ) : (
          sentence(member.role)
        ),
    },
    ...(isOwner
      ? [
          {
            title: 'Actions',
            isQuiet: true,
            cell: (member: Member) =>
              member.user === 'everybody' ? null : (
                <Button onClick={() => setLeaving(member)} aria-label={`Remove ${nameOf(member)}`}>
                  Remove
                </Button>
              ),
          },
        ]
      : []),
  ]
  return (
    <>
      <Failure failure={set.failure ?? failure} isWarning />
      {changed !== '' && <Note>{changed}</Note>}
      <div class="card flush">
        <Table
          caption={`Members of ${name}`}
          rows={value.members.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))}
          keyOf={({ role: of, user }) => `${user} ${of}`}
          columns={columns}
        />
      </div>
      {isOwner ? (
        <AddMember name={name} onAdded={(email) => done(`${email} has been added.`)} />
      ) : (
        <p class="muted">Owners add and remove members.</p>
      )}
      {leaving !== undefined && (
        <Confirm
          title={`Remove ${nameOf(leaving)}?`}
          verb="Remove"
          isBusy={remove.isBusy}
          failure={remove.failure}
          onConfirm={() => void take(leaving)}
          onClose={() => {
            remove.clear()
            setLeaving(undefined)
          }}
        >
          <p>
            {leaving.user === me.id
              ? 'You will not see this namespace any more.'
              : 'What they have deployed here stays. Their access ends at once.'}
          </p>
        </Confirm>
      )}
    </>
  )
}
