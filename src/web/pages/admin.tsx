/** The administrators' page: users, all namespaces, the variables for all of them, and the settings. */
import type { ComponentType } from 'preact'
import { pathOf, type WebPageId, type WebPlace } from '../../domain/platform/web-pages.ts'
import { PageHead } from '../parts/basics.tsx'
import { useLooking } from '../parts/me.ts'
import { Tabs } from '../parts/tabs.tsx'
import { AllNamespaces } from './all-namespaces.tsx'
import { PlatformSettings } from './platform-settings.tsx'
import { SharedVariables } from './shared-variables.tsx'
import { Users } from './users.tsx'

type Part = { readonly page: WebPageId; readonly title: string; readonly Content: ComponentType }

const parts: ReadonlyArray<Part> = [
  { page: 'users', title: 'Users', Content: Users },
  { page: 'everything', title: 'Namespaces', Content: AllNamespaces },
  { page: 'shared', title: 'Variables', Content: SharedVariables },
  { page: 'platform', title: 'Settings', Content: PlatformSettings },
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
      <Tabs
        label="Parts of the administration"
        tabs={parts.map(({ page: id, title }) => ({ path: pathOf(id), title, isCurrent: id === page }))}
      />
      {Content !== undefined && <Content />}
    </>
  )
}
