/** Routes of previews. A preview is a namespace, so its name is that of the namespace. */
import * as t from 'io-ts'
import { keys, oneOf } from '../../print/document.ts'
import { failed, sleep } from '../deletion-record.ts'
import { LastRun } from '../last-run.ts'
import { PreviewScope } from '../preview.ts'
import { NamespaceRole } from '../role.ts'
import { RunRecord } from '../run/record.ts'
import { page } from './answers.ts'
import { route } from './route.ts'
import { deployRows, once } from './run-routes.ts'
import { BranchName, Flag, Line, NamespaceLabel, PageUrl, RepositoryUrl, Timestamp, UserId } from './values.ts'

const path = '/api/v1/previews'

const preview = { namespace: [NamespaceLabel, 'name of the preview'] } as const

export const ListedPreview = keys(
  {
    name: [NamespaceLabel, 'its name, which is that of its namespace'],
    scope: [PreviewScope, 'personal: only its members have access; global: all users may look at it'],
    status: [oneOf('Active', 'Deleting', 'DeleteFailed'), 'whether it can be used'],
    role: [NamespaceRole, 'what the user may do in it'],
    owner: [UserId, 'who created it'],
    created: [Timestamp, 'when it was created'],
    pipeline: [t.string, 'the pipeline that deploys it'],
    repository: [t.string, 'address of the repository'],
  },
  {
    branch: [t.string, 'its branch; that of the repository if absent'],
    sourceUrl: [t.string, 'page of the pull request or merge request'],
    expires: [t.string, 'when it is destroyed by itself, unless it is deployed again'],
    run: [LastRun, 'its last run'],
    ...sleep,
    ...failed,
  },
)
export type ListedPreview = t.TypeOf<typeof ListedPreview>

const PreviewEndpoint = keys({
  service: [t.string, 'the Service that it routes to'],
  url: [t.string, 'the address'],
})

export const previewRoutes = {
  listPreviews: route({
    method: 'GET',
    path,
    may: 'user',
    about: 'The previews that the caller has access to',
    query: keys(
      {},
      {
        ...page,
        q: [Line, 'only names that contain this'],
        repository: [RepositoryUrl, 'only those of this repository'],
        branch: [BranchName, 'only those of this branch'],
      },
    ),
    answer: keys(
      { previews: [t.readonlyArray(ListedPreview), 'by name'] },
      { next: [NamespaceLabel, '`continue` of the next page; absent on the last one'] },
    ),
  }),
  deployPreview: route({
    method: 'POST',
    path,
    may: 'user',
    about: 'Create a preview, unless there is one of this name, and start a run that deploys a repository in it',
    headers: once,
    body: keys(
      { repository: [RepositoryUrl, 'address of the repository'] },
      {
        name: [NamespaceLabel, 'its name; made of the repository and the branch if not given'],
        branch: [BranchName, 'branch or tag; that of the repository if not given'],
        scope: [PreviewScope, 'personal if not given; global only for administrators of the platform'],
        sourceUrl: [PageUrl, 'page of the pull request or merge request'],
        ...deployRows,
      },
    ),
    status: 202,
    answer: keys({ preview: [ListedPreview, 'the preview'], run: [RunRecord, 'the run, which is queued'] }),
  }),
  getPreview: route({
    method: 'GET',
    path: `${path}/{namespace}`,
    may: 'viewer',
    about: 'One preview',
    params: keys(preview),
    answer: ListedPreview,
  }),
  destroyPreview: route({
    method: 'DELETE',
    path: `${path}/{namespace}`,
    may: 'viewer',
    about: 'Destroy a preview, for the owner of a personal one and for administrators of the platform',
    params: keys(preview),
    query: keys({}, { force: [Flag, 'delete it without destroying first what was deployed in it'] }),
    status: 202,
    answer: ListedPreview,
  }),
  listPreviewEndpoints: route({
    method: 'GET',
    path: `${path}/{namespace}/endpoints`,
    may: 'viewer',
    about: 'The public addresses of a preview',
    params: keys(preview),
    answer: keys({ endpoints: [t.readonlyArray(PreviewEndpoint), 'by service, then by address'] }),
  }),
} as const
