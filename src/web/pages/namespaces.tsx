/** The namespaces of the user, and how to create one. */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { nameFault } from '../../domain/platform/namespace/name.ts'
import { pathOf } from '../../domain/platform/web-pages.ts'
import { sentence } from '../../domain/text/sentence.ts'
import { type CallAnswer } from '../api/routes.ts'
import { useCall, useChange } from '../api/use-call.ts'
import { namespaceState } from '../model/states.ts'
import { plural } from '../model/summary.ts'
import { Age, Badge, Button, Card, Empty, Failure, Field, NameSearch, PageHead, Waiting } from '../parts/basics.tsx'
import { navigate, useAddress } from '../parts/router.ts'
import { Table } from '../parts/table.tsx'

type Row = CallAnswer<'listNamespaces'>['namespaces'][number]

const namespacePath = (name: string): string => pathOf('namespace', { namespace: name })

const NewNamespace = ({ field }: { field: RefObject<HTMLInputElement | null> }) => {
  const [name, setName] = useState('')
  const [isTried, setTried] = useState(false)
  const create = useChange('createNamespace')
  const fault = name === '' ? (isTried ? 'is missing' : undefined) : nameFault(name)
  const shown = fault !== undefined && (isTried || name !== '') ? `The name ${fault}.` : create.failure?.title
  const submit = async (): Promise<void> => {
    setTried(true)
    if (fault !== undefined || name === '' || create.isBusy) return
    const made = await create.run({ body: { name } })
    if (made !== undefined) navigate(namespacePath(made.name))
  }
  return (
    <Card
      title="New namespace"
      about="Your applications run in it, apart from those of others. It belongs to you, and you decide who else may use it. Its page then shows how to deploy."
    >
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Field
          label="Name"
          help="Lower-case letters, digits and dashes. It becomes part of the addresses of your applications."
          fault={
            shown === undefined
              ? undefined
              : `${shown.replace(/\.$/, '')}. ${fault === undefined ? (create.failure?.detail ?? '') : ''}`
          }
        >
          {(props) => (
            <input
              {...props}
              ref={field}
              value={name}
              maxLength={63}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              onInput={({ currentTarget }) => {
                create.clear()
                setName(currentTarget.value)
              }}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" isBusy={create.isBusy}>
          Create namespace
        </Button>
      </form>
    </Card>
  )
}

const columns = [
  { title: 'Name', cell: ({ name }: Row) => <a href={namespacePath(name)}>{name}</a> },
  { title: 'State', cell: (row: Row) => <Badge {...namespaceState(row)} /> },
  { title: 'Kind', isShort: true, cell: ({ kind }: Row) => (kind === 'preview' ? 'Preview' : 'Namespace') },
  { title: 'Your role', isShort: true, cell: ({ role }: Row) => sentence(role) },
  { title: 'Created', isShort: true, cell: ({ created }: Row) => <Age since={created} /> },
]

const MOST = 100
const TYPED_MS = 250

export const NamespacesPage = () => {
  const { query } = useAddress()
  const field = useRef<HTMLInputElement>(null)
  const asked = query.get('q') ?? ''
  const [typed, setTyped] = useState(asked)
  const { failure, value } = useCall('listNamespaces', { query: { q: asked, limit: MOST } }, 10_000)
  useEffect(() => {
    const timer = setTimeout(() => {
      const q = typed.trim()
      if (q === asked) return
      navigate(q === '' ? pathOf('namespaces') : `${pathOf('namespaces')}?${new URLSearchParams({ q }).toString()}`, {
        isReplacing: true,
      })
    }, TYPED_MS)
    return () => clearTimeout(timer)
  }, [typed, asked])
  const rows = value?.namespaces ?? []
  return (
    <>
      <PageHead
        title="Namespaces"
        actions={
          rows.length > 0 && (
            <Button isSmall onClick={() => field.current?.focus()}>
              New namespace
            </Button>
          )
        }
      />
      {(value === undefined || rows.length > 0 || `${asked}${typed}` !== '') && (
        <search>
          <NameSearch
            label="Search"
            help={
              value === undefined
                ? ''
                : `${plural(rows.length, 'namespace')}${value.next === undefined ? '' : ', and more: search for them'}`
            }
            value={typed}
            onType={setTyped}
          />
        </search>
      )}
      <Failure failure={failure} isWarning={value !== undefined} />
      {value === undefined && failure === undefined && <Waiting />}
      {rows.length > 0 && (
        <div class="card flush">
          <Table caption="Your namespaces" rows={rows} keyOf={({ name }) => name} columns={columns} />
        </div>
      )}
      {value !== undefined && rows.length === 0 && (
        <Empty title={asked === '' ? 'You have no namespace yet' : `No namespace has “${asked}” in its name`}>
          <p>
            {asked === ''
              ? 'Create your first one below. Namespaces of others appear here once they have added you.'
              : 'Namespaces of others are listed only once they have added you.'}
          </p>
        </Empty>
      )}
      <NewNamespace field={field} />
    </>
  )
}
