/** The files of a project, translated for a cluster, or what is wrong in them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as C from '../../domain/checked.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Target } from '../context/target.ts'
import type { Project } from '../project/project.ts'
import type { Translation } from '../project/translation.ts'

/** A project, and where it is deployed or developed. */
export type PlacedProject = { readonly project: Project; readonly target: Pick<Target, 'namespace' | 'settings'> }

export const validProject = ({
  project,
  target,
}: PlacedProject): TE.TaskEither<ReadonlyArray<Diagnostic>, Translation> =>
  pipe(
    TE.fromTask<Translation, ReadonlyArray<Diagnostic>>(() =>
      project.translate({
        settings: { ...project.wanted.settings, namespace: target.namespace },
        defaults: target.settings,
        withOrigins: true,
      }),
    ),
    TE.filterOrElse(
      ({ findings }) => !C.hasErrors(findings),
      ({ findings }) => findings,
    ),
  )
