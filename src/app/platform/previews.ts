/** Previews: namespaces of their own, each with one pipeline. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { endpointsOf } from '../../domain/environment/endpoints.ts'
import { defined } from '../../domain/object/defined.ts'
import type { GrantedNamespace, ManagedNamespace } from '../../domain/platform/access.ts'
import type { ListedPreview } from '../../domain/platform/api/preview-routes.ts'
import { clusterProblem, notThere, userProblem } from '../../domain/platform/api/problem.ts'
import { EVERYBODY_BINDING, everybodyBinding } from '../../domain/platform/namespace/everybody.ts'
import { pipelineNameOf, previewNameOf } from '../../domain/platform/namespace/preview-name.ts'
import {
  deployFault,
  destroyFault,
  type PreviewFacts,
  type PreviewScope,
  previewMetadata,
} from '../../domain/platform/preview.ts'
import { repositoryIdentity } from '../../domain/text/public-url.ts'
import { secondsFrom } from './issuing.ts'
import { bindUser } from './members.ts'
import { asleepIn, newNamespace } from './namespaces.ts'
import { requestDeletion } from './request-deletion.ts'
import { asUser, startRun } from './runs.ts'
import { type Caller, type Handlers, MANAGER, type PlatformWorld } from './world.ts'

const PAGE_SIZE = 50

const noPreview = (name: string): Diagnostic => notThere(`preview ${name}`)
const refused = (name: string, fault: string): Diagnostic => error('DT6003', `preview ${name}: ${fault}`)
const taken = (fault: string): Diagnostic => error('DT6006', fault, { help: 'choose another name' })

const listedOf = (
  { access }: PlatformWorld,
  { created, failure, name, owner, run, status }: ManagedNamespace,
  role: GrantedNamespace['role'],
  facts: PreviewFacts,
): ListedPreview => ({
  ...{ name, status, role, owner, created, ...facts },
  ...asleepIn(access, name),
  ...defined({ failure, run }),
})

/** A namespace that is not a preview is reported as missing. */
const factsOf = ({ namespace: { name, preview } }: GrantedNamespace): TE.TaskEither<Diagnostic, PreviewFacts> =>
  preview === undefined ? TE.left(noPreview(name)) : TE.right(preview)

type NamedPreview = { readonly name: string; readonly isGenerated: boolean; readonly scope: PreviewScope }

/** Why the existing preview cannot be deployed again. */
const faultOf = (
  { namespace: { preview, status }, role }: GrantedNamespace,
  { name, scope }: NamedPreview,
  isAdmin: boolean,
): Diagnostic | undefined => {
  if (preview === undefined) return taken(`${name} is a namespace, and no preview`)
  const fault = deployFault({ scope: preview.scope, isAdmin, role })
  if (fault !== undefined) return refused(name, fault)
  if (preview.scope !== scope) return taken(`preview ${name} is ${preview.scope}, and stays so`)
  return status === 'Deleting' ? taken(`preview ${name} is being destroyed`) : undefined
}

/** The preview of that name that the user has access to, or a new one. */
const ensured = (
  world: PlatformWorld,
  { user }: Caller,
  wanted: NamedPreview,
): TE.TaskEither<Diagnostic, ManagedNamespace> => {
  const { isGenerated, name, scope } = wanted
  const { isAdmin } = user
  const granted = world.access.find(user.id, name)
  if (granted !== undefined) {
    const fault = faultOf(granted, wanted, isAdmin)
    return fault === undefined ? TE.right(granted.namespace) : TE.left(fault)
  }
  const fault = deployFault({ scope, isAdmin, role: undefined })
  if (fault !== undefined) return TE.left(refused(name, fault))
  return newNamespace(world, { name, kind: 'preview', isGenerated }, user)
}

/** Law: repeating it changes nothing but the time of expiry. */
const describe = (
  { access, cluster }: PlatformWorld,
  { name, uid }: ManagedNamespace,
  facts: PreviewFacts,
): TE.TaskEither<Diagnostic, void> =>
  pipe(
    cluster.merge(
      { resource: resources.Namespace, name },
      { metadata: { uid, ...previewMetadata(facts) } },
      { manager: MANAGER },
    ),
    TE.mapLeft(clusterProblem(`preview ${name}`)),
    TE.map((live) => access.see(live)),
  )

/** Administrators become owners of a global preview; everybody else may view it. */
const open = (world: PlatformWorld, { user }: Caller, name: string): TE.TaskEither<Diagnostic, void> =>
  pipe(
    bindUser(world, name, user, 'owner'),
    TE.flatMap(() =>
      pipe(
        world.cluster.apply(
          { resource: resources.RoleBinding, namespace: name, name: EVERYBODY_BINDING },
          JSON.stringify(everybodyBinding(name)),
          { manager: MANAGER, force: true },
        ),
        TE.mapLeft(clusterProblem(`access to preview ${name}`)),
      ),
    ),
    TE.map(({ object }) => world.access.see(object)),
  )

type PreviewHandlers = Handlers<
  'listPreviews' | 'deployPreview' | 'getPreview' | 'destroyPreview' | 'listPreviewEndpoints'
>

export const previewHandlers = (world: PlatformWorld): PreviewHandlers => {
  const { access, clock, settings } = world
  return {
    listPreviews: ({ caller: { user }, query }) => {
      const { branch, continue: from = '', limit = PAGE_SIZE, q = '', repository } = query
      const isWanted = (facts: PreviewFacts): boolean =>
        (repository === undefined || repositoryIdentity(facts.repository) === repositoryIdentity(repository)) &&
        (branch === undefined || facts.branch === branch)
      const all = access.of(user.id).flatMap(({ namespace, role }) => {
        const { name, preview } = namespace
        const isShown = preview !== undefined && name >= from && name.includes(q.toLowerCase()) && isWanted(preview)
        return isShown ? [listedOf(world, namespace, role, preview)] : []
      })
      return TE.right({ previews: all.slice(0, limit), ...defined({ next: all[limit]?.name }) })
    },

    deployPreview: ({ body, caller, headers }) => {
      const { branch, file, repository, scope = 'personal', sourceUrl, timeoutSeconds, variables } = body
      const owner = scope === 'personal' ? caller.user.id : undefined
      const name = body.name ?? previewNameOf({ repository, branch, owner })
      const pipeline = pipelineNameOf(repository)
      const { previewSeconds } = settings
      const expires = previewSeconds === 0 ? undefined : secondsFrom(clock.wallMs(), previewSeconds)
      const facts: PreviewFacts = { scope, pipeline, repository, ...defined({ branch, expires, sourceUrl }) }
      const run = {
        ...{ action: 'deploy' as const, environment: pipeline, repository, timeoutSeconds, variables },
        ...defined({ branch, file, sourceUrl }),
        key: headers['idempotency-key'],
      }
      return pipe(
        ensured(world, caller, { name, isGenerated: body.name === undefined, scope }),
        TE.tap((namespace) => describe(world, namespace, facts)),
        TE.tap(() => (scope === 'global' ? open(world, caller, name) : TE.right(undefined))),
        TE.bindTo('namespace'),
        TE.bind('run', ({ namespace }) => startRun(world, caller, namespace, run)),
        TE.map((started) => {
          const { namespace, role } = access.find(caller.user.id, name) ?? { ...started, role: 'owner' as const }
          const { id, status } = started.run
          return { run: started.run, preview: listedOf(world, { ...namespace, run: { id, status } }, role, facts) }
        }),
      )
    },

    getPreview: ({ granted }) =>
      pipe(
        factsOf(granted),
        TE.map((facts) => listedOf(world, granted.namespace, granted.role, facts)),
      ),

    destroyPreview: ({ caller, granted, query: { force = false } }) =>
      pipe(
        factsOf(granted),
        TE.tap(({ scope }) => {
          const fault = destroyFault({ scope, isAdmin: caller.user.isAdmin, role: granted.role })
          return fault === undefined ? TE.right(undefined) : TE.left(refused(granted.namespace.name, fault))
        }),
        TE.bindTo('facts'),
        TE.bind('namespace', () => requestDeletion(world, caller, granted.namespace, force)),
        TE.map(({ facts, namespace }) => listedOf(world, namespace, granted.role, facts)),
      ),

    listPreviewEndpoints: ({ caller, granted }) => {
      const { name } = granted.namespace
      return pipe(
        factsOf(granted),
        TE.flatMap(() =>
          pipe(
            asUser(world, caller).list({ resource: resources.Ingress, namespace: name }),
            TE.mapLeft(userProblem(`addresses of preview ${name}`)),
          ),
        ),
        TE.map(({ items }) => ({ endpoints: endpointsOf(items).map(({ service, url }) => ({ service, url })) })),
      )
    },
  }
}
