/** All namespaces of the platform, for administrators: also those that they have no access to. */
import { useState } from 'preact/hooks'
import { sentence } from '../../domain/text/sentence.ts'
import type { CallAnswer } from '../api/routes.ts'
import { useCall } from '../api/use-call.ts'
import { namespaceState } from '../model/states.ts'
import { plural } from '../model/summary.ts'
import { Age, Badge, Empty, Failure, NameSearch, Waiting } from '../parts/basics.tsx'
import { Table } from '../parts/table.tsx'

type Row = CallAnswer<'listAllNamespaces'>['namespaces'][number]

const MOST = 500

export const AllNamespaces = () => {
  const [typed, setTyped] = useState('')
  const { failure, value } = useCall('listAllNamespaces', { query: { q: typed.trim(), limit: MOST } }, 10_000)
  const users = useCall('listUsers')
  const emails = new Map(users.value?.users.map(({ email, id }) => [id, email]))
  const columns = [
    { title: 'Name', cell: ({ name }: Row) => name },
    { title: 'State', cell: (row: Row) => <Badge {...namespaceState(row)} /> },
    { title: 'Kind', isShort: true, cell: ({ kind }: Row) => sentence(kind) },
    { title: 'Created by', isLong: true, cell: ({ owner }: Row) => emails.get(owner) ?? owner },
    { title: 'Created', isShort: true, cell: ({ created }: Row) => <Age since={created} /> },
  ]
  const rows = value?.namespaces ?? []
  const more = value?.next === undefined ? '' : ', and more: search for them'
  return (
    <>
      <search>
        <NameSearch
          label="Search"
          help={value === undefined ? '' : `${plural(rows.length, 'namespace')}${more}`}
          value={typed}
          onType={setTyped}
        />
      </search>
      <Failure failure={failure} isWarning={value !== undefined} />
      {value === undefined && failure === undefined && <Waiting />}
      {rows.length > 0 && (
        <div class="card flush">
          <Table caption="All namespaces" rows={rows} keyOf={({ name }) => name} columns={columns} />
        </div>
      )}
      {value !== undefined && rows.length === 0 && (
        <Empty title="No namespace matches">
          <p>Namespaces that people create appear here.</p>
        </Empty>
      )}
    </>
  )
}
