/** Health checks that reach their own service by name, which a Service that waits for readiness never resolves. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import type { ComposeService } from '../model.ts'
import { type ByName, byNames, healthcheckMention } from './mentions.ts'

/** Whether `from` depends on `to`, directly or through others. */
const waitsFor = (byName: ByName, from: ComposeService, to: ComposeService): boolean => {
  const seen = new Set<string>()
  const next = [from]
  for (let service = next.pop(); service !== undefined; service = next.pop()) {
    for (const { service: name } of service.dependsOn) {
      if (name === to.name) return true
      const other = byName.get(name)
      if (other !== undefined && !seen.has(name)) next.push(other)
      seen.add(name)
    }
  }
  return false
}

const namedBy = (byName: ByName, service: ComposeService): string | undefined => {
  const hasPorts = service.ports.some(({ isMentioned }) => isMentioned !== true)
  const mention = hasPorts && service.healthcheck?.readiness === true ? healthcheckMention(byName, service) : undefined
  return mention?.addresses.find(({ host }) => {
    const target = byName.get(host)
    return target !== undefined && (target === service || waitsFor(byName, target, service))
  })?.host
}

/** Marks the services whose Services must publish addresses that are not ready yet. Warns DT1124. */
export const markSelfChecks = (services: ReadonlyArray<ComposeService>): Checked<ReadonlyArray<ComposeService>> => {
  const byName = byNames(services)
  const found: Array<Diagnostic> = []
  const marked = services.map((service): ComposeService => {
    const host = namedBy(byName, service)
    const at = service.healthcheck?.places?.check ?? service.healthcheck?.at
    if (host === undefined || at === undefined) return service
    const path = `${service.path}.healthcheck`
    found.push(
      warning(
        'DT1124',
        `the check needs "${host}", so the Service of ${service.name} also routes to pods that are not ready`,
        {
          at,
          path,
          help: 'let the check use localhost, so that only ready pods get requests',
        },
      ),
    )
    return { ...service, checksItself: { value: true, at, path } }
  })
  return C.note(marked, found)
}
