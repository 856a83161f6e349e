/** `platform backup`: the platform's data about users and their namespaces, as a text. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, warning } from '../../domain/diagnostic/diagnostic.ts'
import { type Backup, backupOf, printBackup } from '../../domain/platform/backup/file.ts'
import { urlOf } from '../../domain/platform/manifests/installation.ts'
import { readInstallation } from '../../domain/platform/manifests/read-installation.ts'
import { listed } from '../../domain/text/listed.ts'
import { limits } from '../../domain/yaml/limits.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { answer, type Result } from '../result.ts'
import { findInstalled } from './found.ts'
import { platformObjects } from './platform-objects.ts'

export type BackupRequest = {
  readonly target: Pick<Target, 'cluster'>
  /** The file to write; without one, the text is only returned. */
  readonly file: string | undefined
  readonly signal: AbortSignal
}

export type WrittenBackup = Pick<Backup, 'objects'> & { readonly text: string; readonly file: string | undefined }

const findingsOf = ({ left }: Backup, text: string): ReadonlyArray<Diagnostic> => [
  ...(left.length === 0
    ? []
    : [warning('DT6310', `not in the backup, as they are not as the platform makes them: ${listed(left)}`)]),
  ...(text.length <= limits.characters
    ? []
    : [
        warning(
          'DT6310',
          `the backup is larger than the ${limits.characters / 1024 / 1024} MiB that are read at once`,
          {
            help: 'restore it in parts: each needs all objects of its namespaces',
          },
        ),
      ]),
]

/** DT6306 when there is none; finds DT6310. */
export const backup =
  ({ writer }: Pick<Ports, 'writer'>) =>
  ({ file, signal, target: { cluster } }: BackupRequest): Promise<Result<WrittenBackup>> =>
    answer(
      pipe(
        findInstalled(cluster, signal),
        TE.bindTo('installed'),
        TE.bind('live', () => platformObjects(cluster, 'tenants', signal)),
        TE.map(({ installed, live }) => {
          const made = backupOf(live)
          const text = printBackup(urlOf(readInstallation(installed)), made)
          return { findings: findingsOf(made, text), value: { objects: made.objects, text, file } }
        }),
        TE.tap(({ value: { text } }) =>
          file === undefined ? TE.right(undefined) : writer.replace(file, text, { isPrivate: true }),
        ),
      ),
    )
