/** The administrators' page: users, all namespaces, the variables for all of them, and the settings. */
import type { ComponentType } from 'preact'
import { pathOf, type WebPageId, type WebPlace } from '../../domain/platform/web-pages.ts'
import { PageHead } from '../parts/basics.tsx'
import { useLooking } from '../parts/me.ts'
import { AllNamespaces } from './all-namespaces.tsx'
import { PlatformSettings } from './platform-settings.tsx'
import { SharedVariables } from './shared-variables.tsx'
import { Users } from './users.tsx'

type Part = { readonly page: WebPageId; readonly title: string; readonly Content: ComponentType }

const parts: ReadonlyArray<Part> = [
  { page: 'users', title: 'Users', Content: Users },
  { page: 'everything', title: 'All namespaces', Content: AllNamespaces },
  { page: 'shared', title: 'Variables for all', Content: SharedVariables },
  { page: 'platform', title: 'Platform settings', Content: PlatformSettings },
]

export const AdminPage = ({ page }: WebPlace) => {
  const { me } = useLooking()
  const Content = parts.find(({ page: id }) => id === page)?.Content
  if (!me.isAdmin) {
    return (
      <PageHead title="Only for administrators">
        <p>You do not administer this platform. An administrator can give you that role.</p>
        <a class="button plain" href={pathOf('namespaces')}>
          See your namespaces
        </a>
      </PageHead>
    )
  }
  return (
    <>
      <PageHead title="Administration" />
      <nav class="tabs" aria-label="Parts of the administration">
        {parts.map(({ page: id, title }) => (
          <a key={id} href={pathOf(id)} aria-current={id === page ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {Content !== undefined && <Content />}
    </>
  )
}
