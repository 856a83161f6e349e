/** `list`: environments and services as tables, data or names. */
import { EnvironmentList, ServiceList } from '../../domain/environment/listing.ts'
import { printTable } from '../../domain/print/table.ts'
import type { ListForm } from '../flags/forms.ts'
import { isData, printData, printDataLine } from './data.ts'
import type { RenderedView } from './view.ts'

/** A list in all its forms. The first cell of a row is its name. */
export type ListTable = {
  readonly head: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Printed when there are no rows. */
  readonly nothing: string
  readonly data: (form: 'json' | 'yaml') => string
  /** The data as one line of JSON. */
  readonly line: () => string
}

export const environmentTable = (list: EnvironmentList): ListTable => ({
  head: ['Name', 'Status', 'Services', 'Endpoints', 'Age', 'Who'],
  rows: list.environments.map(({ age, endpoints, name, services, status, who }) => [
    name,
    status,
    String(services),
    String(endpoints),
    age,
    who,
  ]),
  nothing: `no environment in namespace ${list.namespace}`,
  data: (form) => printData(form, EnvironmentList, list),
  line: () => printDataLine(EnvironmentList, list),
})

export const serviceTable = (list: ServiceList): ListTable => ({
  head: ['Service', 'Kind', 'Ready', 'State', 'Restarts', 'Age', 'Image'],
  rows: list.services.map(({ age, image, kind, ready, reason, restarts, service, state }) => [
    service,
    kind,
    ready,
    reason === '' ? state : `${state}: ${reason}`,
    String(restarts),
    age,
    image,
  ]),
  nothing: `environment ${list.environment} has no services`,
  data: (form) => printData(form, ServiceList, list),
  line: () => printDataLine(ServiceList, list),
})

export const showList = (form: ListForm, { data, head, nothing, rows }: ListTable): RenderedView => {
  if (isData(form)) return { output: data(form) }
  if (rows.length === 0) return { said: [nothing] }
  return { output: form === 'name' ? rows.map(([name]) => `${name}\n`).join('') : printTable(head, rows) }
}
