/** The settings of the platform, which its installation determines. */
import { useCall } from '../api/use-call.ts'
import { spanOf } from '../model/summary.ts'
import { Card, Failure, Prose, Waiting } from '../parts/basics.tsx'
import { Table } from '../parts/table.tsx'

type Row = { readonly name: string; readonly value: string }

const columns = [
  { title: 'Setting', cell: ({ name }: Row) => name },
  { title: 'Value', isLong: true, cell: ({ value }: Row) => <span class="code">{value}</span> },
]

export const PlatformSettings = () => {
  const { failure, value } = useCall('readSettings')
  if (value === undefined) return failure === undefined ? <Waiting /> : <Failure failure={failure} />
  const { domain, issuer, maxRuns, previewSeconds, registry, sleepAfterSeconds = 0, version } = value
  const rows: ReadonlyArray<Row> = [
    { name: 'Version', value: version },
    { name: 'Domain of public addresses', value: domain },
    { name: 'Registry of built images', value: registry === '' ? 'none' : registry },
    { name: 'Users log in at', value: issuer },
    {
      name: 'Previews without a run are destroyed after',
      value: previewSeconds === 0 ? 'never' : spanOf(previewSeconds),
    },
    { name: 'Idle namespaces sleep after', value: sleepAfterSeconds === 0 ? 'never' : spanOf(sleepAfterSeconds) },
    ...(maxRuns === undefined ? [] : [{ name: 'Runs under way at a time, at most', value: String(maxRuns) }]),
    { name: 'Release of devtool', value: value.releases ?? 'not set' },
  ]
  return (
    <Card
      title="Settings of the platform"
      about={<Prose text="Administrators of the cluster change them with `devtool platform install`." />}
    >
      <Table caption="Platform settings" rows={rows} keyOf={({ name }) => name} columns={columns} />
    </Card>
  )
}
