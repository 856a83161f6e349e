/** The user's own settings: the command line, and API tokens. */
import { useState } from 'preact/hooks'
import type { CallAnswer } from '../api/routes.ts'
import { useCall, useChange } from '../api/use-call.ts'
import { plural } from '../model/summary.ts'
import { Age, Button, Card, Command, Day, Empty, Failure, Field, Note, PageHead, Waiting } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Install } from '../parts/install.tsx'
import { useLooking } from '../parts/me.ts'
import { Table } from '../parts/table.tsx'

type Token = CallAnswer<'listTokens'>['tokens'][number]

const Setup = () => (
  <Card title="The devtool command" about="With it you deploy, develop and look into what runs, from a terminal.">
    <ol class="steps">
      <li>
        <Install />
      </li>
      <li>
        <p>Log in to this platform. Your browser opens, and shows the same two words as the terminal.</p>
        <Command label="login command" text={`devtool context use ${location.origin}`} />
      </li>
      <li>
        <p>Choose one of your namespaces, or create one.</p>
        <Command label="namespace command" text="devtool namespace" />
      </li>
      <li>
        <p>In the folder of your Compose file, deploy; or develop in the cluster.</p>
        <Command label="deploy command" text="devtool deploy --wait" />
        <Command label="development command" text="devtool up" />
      </li>
    </ol>
  </Card>
)

const IN = 'namespace:'

const scopeText = (scope: string): string => {
  if (scope.startsWith(IN)) return `Only namespace ${scope.slice(IN.length)}`
  return scope === 'read' ? 'Only reading' : 'Everything that you may do'
}

const NewToken = ({ onCreated }: { onCreated: () => void }) => {
  const [name, setName] = useState('')
  const [scope, setScope] = useState('all')
  const [days, setDays] = useState(90)
  const [token, setToken] = useState<string>()
  const create = useChange('createToken')
  const namespaces = useCall('listNamespaces', { query: { limit: 500 } })
  const submit = async (): Promise<void> => {
    if (create.isBusy) return
    const made = await create.run({ body: { name: name.trim(), scope, days } })
    if (made === undefined) return
    setToken(made.token)
    setName('')
    onCreated()
  }
  return (
    <Card
      title="New API token"
      about="For programs and CI, which cannot use a browser. Terminals of people log in instead."
    >
      {token !== undefined && (
        <div class="note good" role="status">
          <p>
            <strong>Copy the token now.</strong> It is not shown again.
          </p>
          <Command label="token" text={token} />
          <p>In CI, keep it as a secret and set:</p>
          <Command label="variables" text={`DEVTOOL_CONTEXT=${location.origin} DEVTOOL_TOKEN=…`} />
          <Button onClick={() => setToken(undefined)}>I have copied it</Button>
        </div>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div class="row">
          <Field label="Name" help="What uses it, so that you know it later.">
            {(props) => (
              <input
                {...props}
                required
                maxLength={100}
                value={name}
                autocomplete="off"
                placeholder="CI of the shop"
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
            )}
          </Field>
          <Field
            label="Allows"
            help={
              scope.startsWith(IN)
                ? 'Not enough for previews: each is a namespace of its own.'
                : 'The less it allows, the less can be lost with it.'
            }
          >
            {(props) => (
              <select {...props} value={scope} onChange={({ currentTarget }) => setScope(currentTarget.value)}>
                {['all', 'read', ...(namespaces.value?.namespaces ?? []).map((one) => `${IN}${one.name}`)].map(
                  (one) => (
                    <option key={one} value={one}>
                      {scopeText(one)}
                    </option>
                  ),
                )}
              </select>
            )}
          </Field>
          <Field label="Ends after">
            {(props) => (
              <select {...props} value={days} onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}>
                {[7, 30, 90, 180, 365].map((count) => (
                  <option key={count} value={count}>
                    {plural(count, 'day')}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <Failure failure={create.failure} />
        <Button type="submit" kind="primary" isBusy={create.isBusy}>
          Create token
        </Button>
      </form>
    </Card>
  )
}

export const SettingsPage = () => {
  const { me } = useLooking()
  const { failure, reload, value } = useCall('listTokens')
  const [going, setGoing] = useState<Token>()
  const [changed, setChanged] = useState('')
  const revoke = useChange('deleteToken')
  const take = async ({ id, name }: Token): Promise<void> => {
    if ((await revoke.run({ params: { id } })) === undefined) return
    setGoing(undefined)
    setChanged(`${name} is revoked.`)
    reload()
  }
  const columns = [
    { title: 'Name', cell: ({ name }: Token) => name },
    { title: 'Allows', isLong: true, cell: ({ scope }: Token) => scopeText(scope) },
    { title: 'Created', isShort: true, cell: ({ created }: Token) => <Age since={created} /> },
    { title: 'Ends', isShort: true, cell: ({ expires }: Token) => <Day at={expires} /> },
    {
      title: 'Actions',
      isQuiet: true,
      cell: (token: Token) => (
        <Button onClick={() => setGoing(token)} aria-label={`Revoke ${token.name}`}>
          Revoke
        </Button>
      ),
    },
  ]
  return (
    <>
      <PageHead title="Settings">
        <p class="muted">You are {me.email}.</p>
      </PageHead>
      <Setup />
      <NewToken
        onCreated={() => {
          setChanged('')
          reload()
        }}
      />
      {changed !== '' && <Note>{changed}</Note>}
      <Card
        title="Your API tokens"
        about="Those of your terminals are among them: each login of a terminal has made one."
      >
        <Failure failure={failure} isWarning={value !== undefined} />
        {value === undefined && failure === undefined && <Waiting />}
        {value?.tokens.length === 0 && (
          <Empty title="You have no tokens">
            <p>Terminals that you log in get one each, and you can create one for CI above.</p>
          </Empty>
        )}
        {value !== undefined && value.tokens.length > 0 && (
          <Table caption="Your API tokens" rows={value.tokens} keyOf={({ id }) => id} columns={columns} />
        )}
      </Card>
      {going !== undefined && (
        <Confirm
          title={`Revoke ${going.name}?`}
          verb="Revoke token"
          isBusy={revoke.isBusy}
          failure={revoke.failure}
          onConfirm={() => void take(going)}
          onClose={() => {
            revoke.clear()
            setGoing(undefined)
          }}
        >
          <p>What uses it is logged out at once, and from the cluster within seconds.</p>
        </Confirm>
      )}
    </>
  )
}
