/** Variables without their values: those of a namespace, or those for all namespaces. */
import { type ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { CallFailure } from '../api/client.ts'
import { Button, Card, Empty, Failure, Field, Note } from './basics.tsx'
import { Confirm } from './confirm.tsx'
import { type Column, Table } from './table.tsx'

type ShownVariable = { readonly name: string; readonly note: string; readonly isOwn: boolean }

type Props = {
  readonly rows: ReadonlyArray<ShownVariable>
  readonly caption: string
  readonly isBusy: boolean
  readonly failure: CallFailure | undefined
  /** Whether it succeeded. */
  readonly set: (name: string, value: string) => Promise<boolean>
  readonly unset: (name: string) => Promise<boolean>
  readonly clear: () => void
  /** Below the fields of the form. */
  readonly children?: ComponentChildren
}

export const VariableList = ({ caption, children, clear, failure, isBusy, rows, set, unset }: Props) => {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [changed, setChanged] = useState('')
  const [going, setGoing] = useState<string>()
  const isNew = rows.every((row) => row.name !== name || !row.isOwn)
  const submit = async (): Promise<void> => {
    if (isBusy || !(await set(name, value))) return
    setChanged(`${name} is set.`)
    setName('')
    setValue('')
  }
  const take = async (of: string): Promise<void> => {
    if (!(await unset(of))) return
    setGoing(undefined)
    setChanged(`${of} is deleted.`)
  }
  const columns: ReadonlyArray<Column<ShownVariable>> = [
    { title: 'Name', cell: (row) => <span class="code">{row.name}</span> },
    { title: 'Value', cell: () => <span aria-label="not shown">••••••••</span> },
    { title: 'For', cell: ({ note }) => note },
    {
      title: 'Actions',
      isQuiet: true,
      cell: (row) =>
        row.isOwn && (
          <Button onClick={() => setGoing(row.name)} aria-label={`Delete ${row.name}`}>
            Delete
          </Button>
        ),
    },
  ]
  return (
    <>
      {changed !== '' && <Note>{changed}</Note>}
      {rows.length === 0 ? (
        <Empty title="There are no variables">
          <p>Set one below: deploys then find it, in manifests as {'${NAME}'}.</p>
        </Empty>
      ) : (
        <div class="card flush">
          <Table caption={caption} rows={rows} keyOf={(row) => row.name} columns={columns} />
        </div>
      )}
      <Card title="Set a variable">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <Field label="Name" help={isNew ? 'Letters, digits and underscores.' : 'It exists: its value is replaced.'}>
            {(props) => (
              <input
                {...props}
                required
                pattern="[A-Za-z_][A-Za-z0-9_]*"
                maxLength={128}
                value={name}
                autocomplete="off"
                autocapitalize="none"
                spellcheck={false}
                onInput={({ currentTarget }) => {
                  clear()
                  setName(currentTarget.value)
                }}
              />
            )}
          </Field>
          <Field label="Value" help="It is not shown again on this page.">
            {(props) => (
              <textarea
                {...props}
                rows={2}
                value={value}
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => setValue(currentTarget.value)}
              />
            )}
          </Field>
          {children}
          {going === undefined && <Failure failure={failure} />}
          <Button type="submit" kind="primary" isBusy={isBusy}>
            Set variable
          </Button>
        </form>
      </Card>
      {going !== undefined && (
        <Confirm
          title={`Delete ${going}?`}
          verb="Delete variable"
          isBusy={isBusy}
          failure={failure}
          onConfirm={() => void take(going)}
          onClose={() => {
            clear()
            setGoing(undefined)
          }}
        >
          <p>Deploys do not get it any more. What runs already keeps it until its next deploy.</p>
        </Confirm>
      )}
    </>
  )
}
