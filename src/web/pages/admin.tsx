/** The administrators' page: users of the platform, and the variables for all namespaces. */
import { pathOf, type WebPlace } from '../../domain/platform/web-pages.ts'
import { PageHead } from '../parts/basics.tsx'
import { useLooking } from '../parts/me.ts'
import { SharedVariables } from './shared-variables.tsx'
import { Users } from './users.tsx'

export const AdminPage = ({ page }: WebPlace) => {
  const { me } = useLooking()
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
        <a href={pathOf('users')} aria-current={page === 'users' ? 'page' : undefined}>
          Users
        </a>
        <a href={pathOf('shared')} aria-current={page === 'shared' ? 'page' : undefined}>
          Variables for all
        </a>
      </nav>
      {page === 'users' ? <Users /> : <SharedVariables />}
    </>
  )
}
