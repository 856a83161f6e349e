/** One namespace: what runs in it, who may use it, and its variables. */
import type { ComponentChildren, ComponentType } from 'preact'
import { pathOf, type WebPageId, type WebPlace } from '../../domain/platform/web-pages.ts'
import { useCall } from '../api/use-call.ts'
import { repositoryLink, shortLink, shortRepository, webLink } from '../model/links.ts'
import { namespaceState } from '../model/states.ts'
import { Age, Badge, Day, Failure, PageHead, Waiting } from '../parts/basics.tsx'
import { useLooking } from '../parts/me.ts'
import { Tabs } from '../parts/tabs.tsx'
import { Delete } from './delete.tsx'
import { Members } from './members.tsx'
import type { Namespace, PreviewOfNamespace } from './of-namespace.ts'
import { Runs } from './runs.tsx'
import { Services } from './services.tsx'
import { Sleep } from './sleep.tsx'
import { Variables } from './variables.tsx'

type Part = {
  readonly page: WebPageId
  readonly title: string
  readonly Content: ComponentType<{ readonly namespace: Namespace }>
}

const parts: ReadonlyArray<Part> = [
  { page: 'namespace', title: 'Services', Content: Services },
  { page: 'runs', title: 'Runs', Content: Runs },
  { page: 'members', title: 'Members', Content: Members },
  { page: 'variables', title: 'Variables', Content: Variables },
]

/** What a preview shows, and until when. */
const About = ({ branch, expires, repository, scope, sourceUrl }: PreviewOfNamespace) => {
  const [page, source] = [repositoryLink(repository), sourceUrl === undefined ? undefined : webLink(sourceUrl)]
  return (
    <p class="facts">
      <span>
        A <strong>{scope}</strong> <a href={pathOf('previews')}>preview</a> of{' '}
        {page === undefined ? shortRepository(repository) : <a href={page}>{shortRepository(repository)}</a>}
        {branch === undefined ? '' : ` at ${branch}`}
      </span>
      {source !== undefined && (
        <a href={source} target="_blank" rel="noopener noreferrer">
          {shortLink(source)}
        </a>
      )}
      <span>
        {expires === undefined ? (
          'Kept until somebody destroys it'
        ) : (
          <>
            Kept until <Day at={expires} />, unless it is deployed again
          </>
        )}
      </span>
    </p>
  )
}

/** Asked for only where there is one. */
const WithPreview = ({
  children,
  name,
}: {
  name: string
  children: (preview: PreviewOfNamespace | undefined) => ComponentChildren
}) => <>{children(useCall('getPreview', { params: { namespace: name } }, 10_000).value)}</>

const NotDeleted = ({ failure, name }: Namespace) =>
  failure === undefined ? null : (
    <p class="note bad">
      It was not deleted: {failure.reason}.{' '}
      {failure.run !== undefined && (
        <>
          See <a href={pathOf('run', { namespace: name, run: failure.run })}>the log of its run</a>.{' '}
        </>
      )}
      Delete it again, or without its destroy commands.
    </p>
  )

/** A namespace without access is shown like one that does not exist. */
const Absent = ({ name }: { name: string }) => (
  <PageHead title={`There is no namespace ${name}`}>
    <p>It may have been deleted, or nobody has added you to it: ask its owner.</p>
    <a class="button plain" href={pathOf('namespaces')}>
      See your namespaces
    </a>
  </PageHead>
)

export const NamespacePage = ({ page, params }: WebPlace) => {
  const { namespace: name = '' } = params
  const { me } = useLooking()
  const { failure, value: namespace } = useCall('getNamespace', { params: { namespace: name } }, 10_000)
  const part = parts.find((one) => one.page === page)
  if (failure?.status === 404 || part === undefined) return <Absent name={name} />
  const isPreview = namespace?.kind === 'preview'
  const owner = namespace?.owner === me.id ? 'you' : undefined
  return (
    <>
      <PageHead
        title={name}
        actions={
          namespace !== undefined &&
          namespace.status !== 'Deleting' && (
            <div class="buttons">
              <Sleep {...namespace} />
              {isPreview ? (
                <WithPreview name={name}>{(preview) => <Delete namespace={namespace} preview={preview} />}</WithPreview>
              ) : (
                <Delete namespace={namespace} preview={undefined} />
              )}
            </div>
          )
        }
      >
        <p class="facts">
          {namespace === undefined ? (
            <span class="muted">Loading…</span>
          ) : (
            <>
              <Badge {...namespaceState(namespace)} />
              <span>
                Your role is <strong>{namespace.role}</strong>
              </span>
              <span>
                Created <Age since={namespace.created} />
                {owner === undefined ? '' : ` by ${owner}`}
              </span>
            </>
          )}
        </p>
        {isPreview && (
          <WithPreview name={name}>{(preview) => preview !== undefined && <About {...preview} />}</WithPreview>
        )}
      </PageHead>
      <Tabs
        label={`Parts of ${name}`}
        tabs={parts.map((one) => ({
          path: pathOf(one.page, { namespace: name }),
          title: one.title,
          isCurrent: one.page === page,
        }))}
      />
      <Failure failure={failure} isWarning={namespace !== undefined} />
      {namespace !== undefined && <NotDeleted {...namespace} />}
      {namespace === undefined ? failure === undefined && <Waiting /> : <part.Content namespace={namespace} />}
    </>
  )
}
