/** Routes of pipelines, which deploy a repository in the cluster, and of their runs. */
import * as t from 'io-ts'
import { type Keys, keys } from '../../print/document.ts'
import { RunLine } from '../run/log.ts'
import { RunRecord } from '../run/record.ts'
import { namespace, page } from './answers.ts'
import { eventsOf } from './events.ts'
import { route } from './route.ts'
import {
  BranchName,
  EnvironmentName,
  FilePath,
  Flag,
  IdempotencyKey,
  LastEventId,
  RepositoryUrl,
  RunId,
  TimeoutSeconds,
  VariableName,
  VariableValue,
} from './values.ts'

const path = '/api/v1/namespaces/{namespace}'

export const once = keys(
  {},
  { 'idempotency-key': [IdempotencyKey, 'the same key again starts nothing, and answers the run that it has started'] },
)

/** The input of a run that deploys. */
export const deployRows = {
  file: [FilePath, 'the file to deploy; found by its name if not given'],
  variables: [
    t.readonlyArray(keys({ name: [VariableName, 'its name'], value: [VariableValue, 'its value'] })),
    'variables of the run; they take precedence over those of the platform',
  ],
  timeoutSeconds: [TimeoutSeconds, 'how long the run may take; 300 if not given'],
} as const

const name = { name: [EnvironmentName, 'name of the pipeline'] } as const

/** Every environment with a record is listed, even one that was deployed from elsewhere. */
export const Pipeline = keys(
  {
    name: [t.string, 'its name, which is that of the environment'],
    status: [t.string, 'progressing, deployed, error or destroying'],
  },
  {
    repository: [t.string, 'address of the repository'],
    branch: [t.string, 'its branch'],
    commit: [t.string, 'the commit that its last run cloned'],
    run: [RunRecord, 'its last run'],
  },
)
export type Pipeline = t.TypeOf<typeof Pipeline>

const run = { ...namespace, run: [RunId, 'id of the run'] } as const

export const RunEnd: Keys<{ readonly run: RunRecord }> = keys({ run: [RunRecord, 'the run, as it ended'] })

export const runRoutes = {
  listPipelines: route({
    method: 'GET',
    path: `${path}/pipelines`,
    may: 'viewer',
    about: 'The pipelines of a namespace',
    params: keys(namespace),
    query: keys({}, { ...page }),
    answer: keys(
      { pipelines: [t.readonlyArray(Pipeline), 'by name'] },
      { next: [t.string, '`continue` of the next page; absent on the last one'] },
    ),
  }),
  deployPipeline: route({
    method: 'POST',
    path: `${path}/pipelines`,
    may: 'member',
    about: 'Start a run that clones a repository and deploys it',
    params: keys(namespace),
    headers: once,
    body: keys(
      { ...name, repository: [RepositoryUrl, 'address of the repository'] },
      {
        branch: [BranchName, 'branch or tag; that of the repository if not given'],
        skipIfExists: [
          t.boolean,
          'start nothing when there is such a pipeline; one whose runs have deployed nothing, or that is being destroyed, does not count',
        ],
        ...deployRows,
      },
    ),
    status: 202,
    answer: keys(
      { isSkipped: [t.boolean, 'whether nothing was started, since the pipeline exists'] },
      {
        run: [RunRecord, 'the run, which is queued; if nothing was started, one that is under way'],
        status: [t.string, 'that of the pipeline that exists, if nothing was started'],
      },
    ),
  }),
  getPipeline: route({
    method: 'GET',
    path: `${path}/pipelines/{name}`,
    may: 'viewer',
    about: 'One pipeline',
    params: keys({ ...namespace, ...name }),
    answer: Pipeline,
  }),
  destroyPipeline: route({
    method: 'DELETE',
    path: `${path}/pipelines/{name}`,
    may: 'member',
    about: 'Start a run that destroys what a pipeline has deployed',
    params: keys({ ...namespace, ...name }),
    query: keys(
      {},
      {
        volumes: [Flag, 'also delete its volumes'],
        timeoutSeconds: [TimeoutSeconds, 'how long the run may take; 300 if not given'],
      },
    ),
    headers: once,
    status: 202,
    answer: keys({ run: [RunRecord, 'the run, which is queued'] }),
  }),
  listRuns: route({
    method: 'GET',
    path: `${path}/runs`,
    may: 'viewer',
    about: 'The runs of a namespace',
    params: keys(namespace),
    query: keys(
      {},
      {
        limit: page.limit,
        continue: [RunId, 'where to go on'],
        pipeline: [EnvironmentName, 'only those of this pipeline'],
      },
    ),
    answer: keys(
      { runs: [t.readonlyArray(RunRecord), 'the newest first'] },
      { next: [RunId, '`continue` of the next page; absent on the last one'] },
    ),
  }),
  getRun: route({
    method: 'GET',
    path: `${path}/runs/{run}`,
    may: 'viewer',
    about: 'One run',
    params: keys(run),
    answer: RunRecord,
  }),
  cancelRun: route({
    method: 'POST',
    path: `${path}/runs/{run}/cancel`,
    may: 'member',
    about: 'Cancel a run; one that has ended stays as it is',
    params: keys(run),
    status: 202,
    answer: RunRecord,
  }),
  followRun: route({
    method: 'GET',
    path: `${path}/runs/{run}/log`,
    may: 'viewer',
    about: 'The log of a run, as server-sent events, from its beginning until the run ends',
    params: keys(run),
    headers: keys({}, { 'last-event-id': [LastEventId, 'go on after the event of this id'] }),
    answer: eventsOf({ log: [RunLine, 'a line; its number is the id of the event'], end: [RunEnd, 'the last event'] }),
  }),
} as const
