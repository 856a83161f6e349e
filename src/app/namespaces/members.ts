/** Who has access to a namespace of a platform. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { MemberList } from '../../domain/platform/listings.ts'
import type { NamespaceRole } from '../../domain/platform/role.ts'
import type { Result } from '../result.ts'
import { inNamespace, type TeamCall, type TeamPorts } from './namespaces.ts'

export const listMembers =
  (ports: TeamPorts) =>
  (call: TeamCall): Promise<Result<MemberList>> =>
    inNamespace(
      ports,
      call,
    )(({ namespace, platform }) =>
      pipe(
        ports.platforms.send(platform, 'listMembers', { params: { namespace } }, call.signal),
        TE.map(({ members }) => ({ namespace, members })),
      ),
    )

export type MemberChanged = { readonly namespace: string; readonly user: string; readonly role?: NamespaceRole }

export const addMember =
  (ports: TeamPorts) =>
  (user: string, role: NamespaceRole, call: TeamCall): Promise<Result<MemberChanged>> =>
    inNamespace(
      ports,
      call,
    )(({ namespace, platform }) =>
      pipe(
        ports.platforms.send(platform, 'setMember', { params: { namespace, user }, body: { role } }, call.signal),
        TE.map(() => ({ namespace, user, role })),
      ),
    )

export const removeMember =
  (ports: TeamPorts) =>
  (user: string, call: TeamCall): Promise<Result<MemberChanged>> =>
    inNamespace(
      ports,
      call,
    )(({ namespace, platform }) =>
      pipe(
        ports.platforms.send(platform, 'removeMember', { params: { namespace, user } }, call.signal),
        TE.map(() => ({ namespace, user })),
      ),
    )
