/** Values that decide what a service becomes, although no member of a Kubernetes object holds them. */
import type { Located, ValueOf } from '../../shape/shape.ts'
import type { Span } from '../../text/source.ts'
import type { service as shape } from '../fields/service.ts'

type Service = ValueOf<typeof shape>['value']

const envFiles = ({ env_file: files }: Service): ReadonlyArray<Located<unknown> | undefined> =>
  (files?.value ?? []).flatMap(
    (item): ReadonlyArray<Located<unknown> | undefined> =>
      typeof item.value === 'string' ? [item] : [item.value.path, item.value.format, item.value.required],
  )

/** Variables that get the value of this machine, or stay unset. */
const inherited = ({ environment }: Service) => (environment?.value ?? []).filter(({ value }) => value === undefined)

/** The restart policy, the mode, profiles, env and label files, and a health check that leads to no probe. */
export const decidesOf = (service: Service, name: string, hasProbe: boolean): ReadonlyArray<Span> => {
  const { container_name: container, deploy, healthcheck, label_file: labelFiles, profiles, restart } = service
  const policy = deploy?.value.restart_policy?.value
  const places: Array<Span> = []
  const add = (one: { readonly at: Span } | undefined): void => {
    if (one !== undefined) places.push(one.at)
  }
  add(restart)
  add(policy?.condition)
  add(policy?.max_attempts)
  add(deploy?.value.mode)
  add(healthcheck?.value.disable)
  if (!hasProbe) Object.values(healthcheck?.value ?? {}).forEach(add)
  if (container?.value === name) add(container)
  add(service['x-devtool-host-files'])
  profiles?.value.forEach(add)
  envFiles(service).forEach(add)
  labelFiles?.value.forEach(add)
  inherited(service).forEach(add)
  return places
}
