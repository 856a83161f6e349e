/** The environments of a namespace, with their services and problems. */
import type { EnvironmentNow } from '../../domain/platform/api/service-routes.ts'
import { pathOf } from '../../domain/platform/web-pages.ts'
import { SLEEPING } from '../../domain/rollout/asleep.ts'
import { sentence } from '../../domain/text/sentence.ts'
import { useCall } from '../api/use-call.ts'
import { repositoryLink, shortLink, webLink } from '../model/links.ts'
import { asleep, environmentState, serviceState } from '../model/states.ts'
import { shortImage, sleeps, summaryOf } from '../model/summary.ts'
import { Age, Badge, Card, Command, Empty, Failure, Prose, Waiting } from '../parts/basics.tsx'
import { Install } from '../parts/install.tsx'
import { useLooking } from '../parts/me.ts'
import { Table } from '../parts/table.tsx'
import type { Namespace } from './of-namespace.ts'
import { isOver } from './runs.tsx'
import { Asleep } from './sleep.tsx'

const LOOK_MS = 5_000

type Service = EnvironmentNow['services'][number]

const Endpoint = ({ developer, service, url }: EnvironmentNow['endpoints'][number]) => {
  const link = webLink(url)
  return (
    <li>
      {link === undefined ? (
        url
      ) : (
        <a href={link} target="_blank" rel="noopener noreferrer">
          {shortLink(url)}
        </a>
      )}{' '}
      <span class="muted">
        {service}
        {developer === undefined ? '' : `, developed by ${developer}`}
      </span>
    </li>
  )
}

const Cause = ({ code, event, help, message, service }: EnvironmentNow['causes'][number]) => (
  <li class="note bad">
    <p>
      <strong>{service}</strong>: <Prose text={message} /> <span class="code">{code}</span>
    </p>
    {help !== undefined && (
      <p>
        <Prose text={`${sentence(help)}.`} />
      </p>
    )}
    {event !== undefined && <p class="muted">Kubernetes says: {event}</p>}
  </li>
)

const Source = ({ branch, repository }: EnvironmentNow) => {
  if (repository === undefined) return null
  const link = repositoryLink(repository)
  return (
    <span>
      from{' '}
      {link === undefined ? (
        repository
      ) : (
        <a href={link} target="_blank" rel="noopener noreferrer">
          {repository}
        </a>
      )}
      {branch === undefined ? '' : ` at ${branch}`}
    </span>
  )
}

const columnsFor = (broken: ReadonlySet<string>) => [
  { title: 'Service', cell: ({ service }: Service) => service },
  {
    title: 'State',
    cell: ({ reason, service, state }: Service) => (
      <Badge {...(reason === SLEEPING ? asleep : serviceState(state, broken.has(service)))} />
    ),
  },
  { title: 'Ready', isShort: true, cell: ({ ready }: Service) => ready },
  {
    title: 'Details',
    isLong: true,
    cell: ({ developedSince, developer, reason }: Service) => {
      if (reason === SLEEPING) return null
      if (developer === undefined || developedSince === undefined) return reason === '' ? null : <Prose text={reason} />
      return (
        <>
          {developer}, began <Age since={developedSince} />
        </>
      )
    },
  },
  { title: 'Restarts', isShort: true, cell: ({ restarts }: Service) => restarts },
  {
    title: 'Image',
    cell: ({ image }: Service) => (
      <span class="code" title={image}>
        {shortImage(image)}
      </span>
    ),
  },
]

const Environment = (environment: EnvironmentNow) => {
  const { causes, endpoints, name, services, status, when, who } = environment
  const broken = new Set(causes.map(({ service }) => service))
  return (
    <Card
      title={name}
      actions={<Badge {...(sleeps([environment]) ? asleep : environmentState(status, causes.length > 0))} />}
    >
      <p class="facts muted">
        <span>{summaryOf(environment)}</span>
        {when !== '' && (
          <span>
            Last deployed <Age since={when} /> {who === '' ? '' : `by ${who}`}
          </span>
        )}
        <Source {...environment} />
      </p>
      {endpoints.length > 0 && (
        <div class="addresses">
          <span class="muted">{endpoints.length === 1 ? 'Address' : 'Addresses'}</span>
          <ul class="links" aria-label={`Addresses of ${name}`}>
            {endpoints.map((endpoint) => (
              <Endpoint key={endpoint.url} {...endpoint} />
            ))}
          </ul>
        </div>
      )}
      {causes.length > 0 && (
        <ul class="plain" aria-label={`What is wrong in ${name}`}>
          {causes.map((cause) => (
            <Cause key={`${cause.service} ${cause.code} ${cause.message}`} {...cause} />
          ))}
        </ul>
      )}
      {services.length > 0 && (
        <Table
          caption={`Services of ${name}`}
          rows={services}
          keyOf={({ kind, service }) => `${kind}/${service}`}
          columns={columnsFor(broken)}
        />
      )}
    </Card>
  )
}

/** How to deploy for the first time: the commands, in order. */
const FirstDeploy = ({ namespace }: { namespace: string }) => (
  <Empty title="Nothing runs here yet">
    <p>Deploy from a terminal, in the folder of your Compose file:</p>
    <ol class="steps">
      <li>
        <Install />
      </li>
      <li>
        <p>Log in to this platform, once. Your browser opens.</p>
        <Command label="login command" text={`devtool context use ${location.origin} --namespace ${namespace}`} />
      </li>
      <li>
        <p>Build, deploy and wait until everything is ready.</p>
        <Command label="deploy command" text="devtool deploy --wait" />
      </li>
    </ol>
    <p class="muted">
      This page then shows your services and their addresses. <a href={pathOf('settings')}>More about the command</a>
    </p>
    <p>
      Instead of step 3, the platform can build and deploy what was pushed to the main branch. In a clone of the
      repository:
    </p>
    <Command label="pipeline command" text="devtool pipeline deploy --wait" />
  </Empty>
)

/** What the pages do not do: with the first environment, the steps above are gone. */
const FromTerminal = ({ first, namespace }: { first: EnvironmentNow; namespace: string }) => {
  const [service] = first.services
  return (
    <details class="card">
      <summary>Deploy more, read logs and remove applications from a terminal</summary>
      <p>Log in to this namespace, once on each machine:</p>
      <Command label="login command" text={`devtool context use ${location.origin} --namespace ${namespace}`} />
      <p>Deploy another application, or a change, from the folder of its Compose file:</p>
      <Command label="deploy command" text="devtool deploy --wait" />
      <p>Let the platform deploy what was pushed to the main branch, in a clone of the repository:</p>
      <Command label="pipeline command" text="devtool pipeline deploy --wait" />
      {service !== undefined && (
        <>
          <p>Follow the log of a service:</p>
          <Command label="logs command" text={`devtool logs ${service.service} --name ${first.name} --follow`} />
        </>
      )}
      <p>Remove an application, but not its volumes:</p>
      <Command label="destroy command" text={`devtool destroy --name ${first.name}`} />
    </details>
  )
}

const EmptyPreview = ({ namespace }: { namespace: string }) => {
  const { value } = useCall('listRuns', { params: { namespace } }, LOOK_MS)
  const [last] = value?.runs ?? []
  const isFailed = last !== undefined && isOver(last) && last.status !== 'succeeded'
  return isFailed ? (
    <Empty title="Nothing runs here: the last run did not succeed">
      <p>
        <a href={pathOf('run', { namespace, run: last.id })}>Its log</a> says why.
      </p>
    </Empty>
  ) : (
    <Empty title="Nothing runs here yet">
      <p>
        A run deploys this preview. <a href={pathOf('runs', { namespace })}>See its runs</a>
      </p>
    </Empty>
  )
}

const Nothing = ({ kind, name, role, status }: Namespace) => {
  if (status !== 'Active') {
    return (
      <Empty title="Nothing runs here">
        <p>What is left of it is deleted with the namespace.</p>
      </Empty>
    )
  }
  if (kind === 'preview') return <EmptyPreview namespace={name} />
  return role === 'viewer' ? (
    <Empty title="Nothing runs here yet">
      <p>Your role is viewer: members and owners deploy. You see here what they have deployed.</p>
    </Empty>
  ) : (
    <FirstDeploy namespace={name} />
  )
}

export const Services = ({ namespace }: { namespace: Namespace }) => {
  const { name } = namespace
  const { meta } = useLooking()
  const { failure, value } = useCall('listServices', { params: { namespace: name } }, LOOK_MS)
  if (value === undefined) return failure === undefined ? <Waiting /> : <Failure failure={failure} />
  const { environments, skipped } = value
  const [first] = environments
  return (
    <>
      <Failure failure={failure} isWarning />
      {skipped.length > 0 && (
        <p class="note warn">
          You may not read {skipped.join(', ')} here, so something may be missing. Ask an owner for another role.
        </p>
      )}
      {namespace.isAsleep === true && <Asleep {...namespace} />}
      {environments.length === 0 && <Nothing {...namespace} />}
      {environments.map((environment) => (
        <Environment key={environment.name} {...environment} />
      ))}
      {environments.some(({ causes }) => causes.length > 0) && (
        <Card title="More about what is wrong" about="In a terminal, with the last lines of the logs:">
          <Command label="command" text={`devtool why --context ${location.origin} --namespace ${name}`} />
        </Card>
      )}
      {environments.length > 0 &&
        meta.domain !== '' &&
        environments.every(({ endpoints }) => endpoints.length === 0) && (
          <p class="muted">
            No service has a public address. A published port, such as <span class="code">ports: ["8080:80"]</span> in
            the Compose file, gets one that ends in <span class="code">{meta.domain}</span>.
          </p>
        )}
      {first !== undefined && namespace.kind !== 'preview' && namespace.role !== 'viewer' && (
        <FromTerminal first={first} namespace={name} />
      )}
    </>
  )
}
