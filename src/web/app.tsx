/** The frame of all pages, and which page is shown. */
import type { ComponentType } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { pageAt, pathOf, type WebPageId, type WebPlace } from '../domain/platform/web-pages.ts'
import { useCall } from './api/use-call.ts'
import { NamespacesPage } from './pages/namespaces.tsx'
import { FailedPage, PageHead, Waiting } from './parts/basics.tsx'
import { LookingProvider } from './parts/me.ts'
import { followLinks, useAddress } from './parts/router.ts'

type Page = ComponentType<WebPlace>

/** The first page comes with the frame, the others are loaded on demand. */
const loaders: Readonly<Record<Exclude<WebPageId, 'namespaces'>, () => Promise<Page>>> = {
  namespace: async () => (await import('./pages/namespace.tsx')).NamespacePage,
  members: async () => (await import('./pages/namespace.tsx')).NamespacePage,
  variables: async () => (await import('./pages/namespace.tsx')).NamespacePage,
  runs: async () => (await import('./pages/namespace.tsx')).NamespacePage,
  run: async () => (await import('./pages/run.tsx')).RunPage,
  previews: async () => (await import('./pages/previews.tsx')).PreviewsPage,
  settings: async () => (await import('./pages/settings.tsx')).SettingsPage,
  users: async () => (await import('./pages/admin.tsx')).AdminPage,
  everything: async () => (await import('./pages/admin.tsx')).AdminPage,
  platform: async () => (await import('./pages/admin.tsx')).AdminPage,
  shared: async () => (await import('./pages/admin.tsx')).AdminPage,
}

const loaded = new Map<WebPageId, Page>([['namespaces', NamespacesPage]])

/** Whether the page could be loaded: after an upgrade of the platform its file may be gone. */
const load = async (page: keyof typeof loaders): Promise<boolean> => {
  try {
    loaded.set(page, await loaders[page]())
    return true
  } catch {
    return false
  }
}

const outdated = {
  status: 0,
  title: 'This page could not be loaded',
  detail: 'Load it again; the platform may be newer.',
}

const Lazy = (place: WebPlace) => {
  const { page } = place
  const [, setLoaded] = useState<WebPageId>()
  const [isFailed, setFailed] = useState(false)
  const Shown = loaded.get(page)
  useEffect(() => {
    if (page === 'namespaces' || loaded.has(page)) return
    void load(page).then((isLoaded) => (isLoaded ? setLoaded(page) : setFailed(true)))
  }, [page])
  if (Shown !== undefined) return <Shown {...place} />
  return isFailed ? <FailedPage failure={outdated} /> : <Waiting />
}

const NotFound = () => (
  <PageHead title="There is no such page">
    <p>The address may have been cut off.</p>
    <a class="button plain" href={pathOf('namespaces')}>
      See your namespaces
    </a>
  </PageHead>
)

const LogIn = ({ title }: { title: string }) => {
  const next = location.pathname + location.search
  return (
    <main class="alone" id="content" tabIndex={-1}>
      <div class="card">
        <p class="brand">devtool</p>
        <PageHead title={title} />
        <p>
          Namespaces, environments and previews of your team are on this platform. You log in with the account of your
          organisation.
        </p>
        <a class="button primary" href={`/login?${new URLSearchParams({ next }).toString()}`}>
          Log in
        </a>
      </div>
    </main>
  )
}

const sections: ReadonlyArray<
  readonly [page: WebPageId, title: string, pages: ReadonlyArray<WebPageId>, isOfAdmins: boolean]
> = [
  ['namespaces', 'Namespaces', ['namespaces'], false],
  ['previews', 'Previews', ['previews'], false],
  ['settings', 'Settings', ['settings'], false],
  ['users', 'Admin', ['users', 'everything', 'shared', 'platform'], true],
]

type Found = { readonly namespace: string; readonly found: (section: WebPageId | undefined) => void }

/** A preview is a namespace, too, but among the previews. */
const SectionOf = ({ found, namespace }: Found) => {
  const kind = useCall('getNamespace', { params: { namespace } }).value?.kind
  useEffect(() => found(kind && (kind === 'preview' ? 'previews' : 'namespaces')), [kind])
  return null
}

export const App = () => {
  const { path } = useAddress()
  const { failure, value: me } = useCall('me', {}, 60_000)
  const meta = useCall('meta')
  const [wasIn, setWasIn] = useState(false)
  useEffect(() => {
    if (me !== undefined) setWasIn(true)
  }, [me])
  const place = pageAt(path)
  const [found, setFound] = useState<WebPageId>()
  const namespace = place?.params['namespace']
  const section =
    namespace === undefined ? place && sections.find(([, , pages]) => pages.includes(place.page))?.[0] : found
  const looking = useMemo(() => (me && meta.value ? { me, meta: meta.value } : undefined), [me, meta.value])

  if (failure?.status === 401) return <LogIn title={wasIn ? 'You are not logged in any more' : 'Log in to devtool'} />
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- links have them
    <div class="frame" onClick={followLinks}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header>
        <a class="brand" href="/">
          devtool
        </a>
        {namespace !== undefined && me && <SectionOf namespace={namespace} found={setFound} />}
        <nav aria-label="Pages">
          {sections
            .filter(([, , , isOfAdmins]) => !isOfAdmins || me?.isAdmin === true)
            .map(([page, title]) => (
              <a
                key={page}
                href={pathOf(page)}
                aria-current={place?.page === page ? 'page' : section === page ? 'true' : undefined}
              >
                {title}
              </a>
            ))}
        </nav>
        <form class="who" method="post" action="/login/logout">
          <span class="muted">{me?.email ?? ''}</span>
          <button class="button plain small">Log out</button>
        </form>
      </header>
      <main id="content" tabIndex={-1}>
        {looking === undefined ? (
          failure === undefined ? (
            <Waiting />
          ) : (
            <FailedPage failure={failure} />
          )
        ) : (
          <LookingProvider value={looking}>
            {place === undefined ? <NotFound /> : <Lazy key={path} {...place} />}
          </LookingProvider>
        )}
      </main>
      <footer class="muted">{meta.value === undefined ? '' : `devtool ${meta.value.version}`}</footer>
    </div>
  )
}
