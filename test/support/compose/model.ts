/** Small hand-made models: a test only sets the parts that it is about. */
import type { ComposeService, Model, Port, ServiceDependency, Written } from '../../../src/domain/compose/model.ts'
import type { Mount, Volume } from '../../../src/domain/compose/volume-model.ts'
import { dnsLabel } from '../../../src/domain/text/dns-name.ts'
import { type Source, type Span, source } from '../../../src/domain/text/source.ts'
import type { DeployTarget } from '../../../src/domain/translate/target.ts'

const LINES = 2000
const file: Source = source('compose.yaml', '/project', '0123456789\n'.repeat(LINES))

/** A place: columns 1 to 5 of a line. */
export const line = (number: number): Span => {
  const start = file.lineStarts[(number - 1) % LINES] ?? 0
  return { source: file, start, end: start + 4 }
}

export const written = <A>(value: A, number = 1): Written<A> => ({ value, at: line(number), path: 'services' })

export const target: DeployTarget = { environment: 'shop', volumeAffinity: true }

export const serviceWith = (name: string, more: Partial<ComposeService> = {}, number = 1): ComposeService => ({
  name,
  object: dnsLabel(name),
  at: line(number),
  path: `services.${name}`,
  image: written('nginx', number),
  environment: [],
  kind: { _tag: 'Deployment', at: line(number) },
  ports: [],
  dependsOn: [],
  annotations: [],
  workloadAnnotations: [],
  updateConfig: {},
  resources: { requests: {}, limits: {} },
  mounts: [],
  hostMounts: [],
  placement: { nodeSelector: [], expressions: [], spread: [] },
  security: { sysctls: [] },
  network: { hostAliases: [], aliases: [] },
  hooks: {},
  preStart: [],
  ...more,
})

export const modelWith = (services: ReadonlyArray<ComposeService>, more: Partial<Model> = {}): Model => ({
  environment: 'shop',
  services,
  images: [],
  switchedOff: [],
  declared: [],
  volumes: [],
  configs: [],
  secrets: [],
  endpoints: [],
  ...more,
})

export const port = (number: number, more: Partial<Port> = {}): Port => ({
  target: number,
  protocol: 'TCP',
  published: [],
  isPublic: false,
  at: line(1),
  ...more,
})

export const volume = (name: string, more: Partial<Volume> = {}): Volume => ({
  name,
  object: dnsLabel(name),
  isExternal: false,
  size: '1Gi',
  annotations: [],
  init: false,
  at: line(90),
  path: `volumes.${name}`,
  ...more,
})

const place = (to: string, number: number) => ({ target: to, readOnly: false, at: line(number), path: 'volumes[0]' })

export const named = (name: string, to: string, number = 1): Mount => ({
  _tag: 'Named',
  volume: name,
  ...place(to, number),
})
export const anonymous = (to: string, number = 1): Mount => ({ _tag: 'Anonymous', ...place(to, number) })
export const memory = (to: string, size?: string): Mount => ({
  _tag: 'Memory',
  ...(size === undefined ? {} : { size }),
  ...place(to, 1),
})
export const imageMount = (image: string, to: string): Mount => ({ _tag: 'Image', image, ...place(to, 1) })
export const configMount = (config: string, to: string, mode?: number): Mount => ({
  _tag: 'Config',
  config,
  ...(mode === undefined ? {} : { mode }),
  ...place(to, 1),
})
export const secretMount = (secret: string, to: string, mode?: number): Mount => ({
  _tag: 'Secret',
  secret,
  ...(mode === undefined ? {} : { mode }),
  ...place(to, 1),
})

export const dependency = (
  service: string,
  condition: ServiceDependency['condition'] = 'service_started',
  number = 1,
): ServiceDependency => ({ service, condition, at: line(number), path: 'depends_on' })
