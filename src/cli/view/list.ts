/** `list`: environments and services as tables, data or names. */
import { EnvironmentList, ServiceList } from '../../domain/environment/listing.ts'
import { printTable } from '../../domain/print/table.ts'
import type { ListForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

export const showEnvironments = (form: ListForm, list: EnvironmentList): RenderedView => {
  const { environments, namespace } = list
  if (isData(form)) return { output: printData(form, EnvironmentList, list) }
  if (environments.length === 0) return { said: [`no environment in namespace ${namespace}`] }
  if (form === 'name') return { output: environments.map(({ name }) => `${name}\n`).join('') }
  const cells = environments.map(({ age, endpoints, name, services, status, who }) => [
    name,
    status,
    String(services),
    String(endpoints),
    age,
    who,
  ])
  return { output: printTable(['Name', 'Status', 'Services', 'Endpoints', 'Age', 'Who'], cells) }
}

export const showServices = (form: ListForm, list: ServiceList): RenderedView => {
  const { environment, services } = list
  if (isData(form)) return { output: printData(form, ServiceList, list) }
  if (services.length === 0) return { said: [`environment ${environment} has no services`] }
  if (form === 'name') return { output: services.map(({ service }) => `${service}\n`).join('') }
  const cells = services.map(({ age, image, kind, ready, reason, restarts, service, state }) => [
    service,
    kind,
    ready,
    reason === '' ? state : `${state}: ${reason}`,
    String(restarts),
    age,
    image,
  ])
  return { output: printTable(['Service', 'Kind', 'Ready', 'State', 'Restarts', 'Age', 'Image'], cells) }
}
