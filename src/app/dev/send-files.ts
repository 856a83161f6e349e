/** The files of a development container, sent once by `up` before anything runs there. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { DevContainer } from '../../domain/manifest/dev-model.ts'
import { showCount, showSize } from '../../domain/progress/size.ts'
import type { Ports } from '../../ports/ports.ts'
import { seed } from './seed.ts'
import type { DevSession } from './session.ts'

const SHOWN = 3

/** Hybrid development uses the files where they are. Finds DT5055. */
export const sendFiles =
  (ports: Pick<Ports, 'seeds'>) =>
  (
    session: DevSession,
    { folders, mode, name }: DevContainer,
    say: (text: string) => void,
  ): TE.TaskEither<Diagnostic, void> =>
    pipe(
      mode === 'hybrid' ? [] : folders,
      TE.traverseSeqArray((folder) =>
        pipe(
          seed(ports)(session, folder),
          TE.mapBoth(
            (reason) =>
              error('DT5055', `${name}: the files of ${folder.local} were not sent: ${reason}`, {
                at: folder.at,
                path: folder.path,
                help: `\`devtool up ${name}\` sends them again`,
              }),
            ({ bytes, files, left }) => {
              const what = `${showCount(files)} files (${showSize(bytes)})`
              say(`sent once: ${what} of ${folder.local} -> ${folder.remote}; later changes are not synchronised yet`)
              if (left.length > 0) say(`not sent: ${left.length}: ${left.slice(0, SHOWN).join(', ')}`)
            },
          ),
        ),
      ),
      TE.map(() => undefined),
    )
