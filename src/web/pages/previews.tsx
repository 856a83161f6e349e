/** The previews that the user may see. */
import { pathOf } from '../../domain/platform/web-pages.ts'
import { sentence } from '../../domain/text/sentence.ts'
import type { CallAnswer } from '../api/routes.ts'
import { useCall } from '../api/use-call.ts'
import { shortLink, shortRepository, webLink } from '../model/links.ts'
import { namespaceState, runState } from '../model/states.ts'
import { plural } from '../model/summary.ts'
import {
  Age,
  Badge,
  Card,
  Command,
  Day,
  Empty,
  Failure,
  Field,
  NameSearch,
  PageHead,
  Waiting,
} from '../parts/basics.tsx'
import { SetUp } from '../parts/install.tsx'
import { navigate, useAddress } from '../parts/router.ts'
import { Table } from '../parts/table.tsx'

type Preview = CallAnswer<'listPreviews'>['previews'][number]

const MOST = 500

const Source = ({ sourceUrl }: Preview) => {
  const link = sourceUrl === undefined ? undefined : webLink(sourceUrl)
  return link === undefined ? null : (
    <a href={link} target="_blank" rel="noopener noreferrer">
      {shortLink(link)}
    </a>
  )
}

const columns = [
  { title: 'Name', cell: ({ name }: Preview) => <a href={pathOf('namespace', { namespace: name })}>{name}</a> },
  { title: 'State', cell: (preview: Preview) => <Badge {...namespaceState(preview)} /> },
  {
    title: 'Last run',
    cell: ({ name, run }: Preview) =>
      run === undefined ? null : (
        <a href={pathOf('run', { namespace: name, run: run.id })}>
          <Badge {...runState(run.status)} />
        </a>
      ),
  },
  { title: 'Scope', isShort: true, cell: ({ scope }: Preview) => sentence(scope) },
  {
    title: 'Source',
    isLong: true,
    cell: (preview: Preview) => (
      <span class="stack">
        <span>{shortRepository(preview.repository)}</span>
        {preview.branch !== undefined && <span class="code">{preview.branch}</span>}
        <Source {...preview} />
      </span>
    ),
  },
  { title: 'Created', isShort: true, cell: ({ created }: Preview) => <Age since={created} /> },
  {
    title: 'Expires',
    isShort: true,
    cell: ({ expires }: Preview) => (expires === undefined ? 'Never' : <Day at={expires} />),
  },
]

const filters = ['q', 'scope', 'repository'] as const
type Filter = (typeof filters)[number]

export const PreviewsPage = () => {
  const { query } = useAddress()
  const { failure, value } = useCall('listPreviews', { query: { limit: MOST } }, 10_000)
  const [q, scope, repository] = filters.map((name) => query.get(name) ?? '')
  const choose = (name: Filter, text: string): void => {
    const next = new URLSearchParams(query)
    if (text === '') next.delete(name)
    else next.set(name, text)
    navigate(`${pathOf('previews')}${next.size === 0 ? '' : `?${next.toString()}`}`, { isReplacing: true })
  }
  const all = value?.previews ?? []
  const rows = all.filter(
    (one) =>
      one.name.includes((q ?? '').trim().toLowerCase()) &&
      (scope === '' || one.scope === scope) &&
      (repository === '' || one.repository === repository),
  )
  const repositories = [...new Set([...all.map((one) => one.repository), repository ?? ''])].filter((one) => one !== '')
  const more = value?.next === undefined ? '' : `; only the first ${MOST} are shown`
  return (
    <>
      <PageHead title="Previews" />
      {(value === undefined || all.length > 0) && (
        <search class="row">
          <NameSearch
            label="Name"
            help={value === undefined ? '' : `${rows.length} of ${plural(all.length, 'preview')}${more}`}
            value={q}
            onType={(text) => choose('q', text)}
          />
          <Field label="Scope">
            {(props) => (
              <select {...props} value={scope} onChange={({ currentTarget }) => choose('scope', currentTarget.value)}>
                <option value="">All</option>
                <option value="personal">Personal</option>
                <option value="global">Global</option>
              </select>
            )}
          </Field>
          <Field label="Repository">
            {(props) => (
              <select
                {...props}
                value={repository}
                onChange={({ currentTarget }) => choose('repository', currentTarget.value)}
              >
                <option value="">All</option>
                {repositories.map((one) => (
                  <option key={one} value={one}>
                    {shortRepository(one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </search>
      )}
      <Failure failure={failure} isWarning={value !== undefined} />
      {value === undefined && failure === undefined && <Waiting />}
      {rows.length > 0 && (
        <div class="card flush">
          <Table caption="Previews" rows={rows} keyOf={({ name }) => name} columns={columns} />
        </div>
      )}
      {value !== undefined && all.length === 0 && (
        <Empty title="There are no previews">
          <p>Yours appear here, those that you have been added to, and those that are for all.</p>
        </Empty>
      )}
      {all.length > 0 && rows.length === 0 && (
        <Empty title="No preview matches">
          <p>
            <a href={pathOf('previews')}>Show all {all.length}</a>
          </p>
        </Empty>
      )}
      <Card
        title="New preview"
        about="A preview is a branch that runs in a namespace of its own. Make one in a terminal, in a clone of its repository:"
      >
        <Command label="preview command" text="devtool preview deploy --wait" />
        <SetUp />
      </Card>
    </>
  )
}
