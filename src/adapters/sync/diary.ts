/** A log of the acts at one end of a synchronisation, one line each, for troubleshooting. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ActOutcome, SyncAct } from '../../domain/sync/act.ts'
import { showMoment } from '../../domain/text/moment.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OpenTree } from '../../ports/tree.ts'

export type Diary = {
  readonly watched: (tree: OpenTree) => OpenTree
  /** Counts, and the last lines. */
  readonly text: () => string
}

/** `isTrouble`: an act failed, or the folder cannot be listed. */
export type DiaryLog = (line: string, isTrouble: boolean) => void

const mostLines = 200

const outcomeText = (outcome: ActOutcome): string => {
  if (outcome._tag === 'Done') return 'done'
  if (outcome._tag === 'Refused') return 'left, since something else is there'
  return `${outcome._tag === 'Lost' ? 'lost' : 'failed'}: ${visible(outcome.reason)}`
}

/** `where`: precedes each entry of the log. */
export const diaryOf = (clock: Pick<Clock, 'wallMs'>, root: string, log: DiaryLog, where = ''): Diary => {
  let lines: ReadonlyArray<string> = []
  const counts = { done: 0, left: 0, failed: 0 }
  const note = (what: string, isTrouble: boolean): void => {
    const atMs = clock.wallMs()
    const line = `${showMoment({ seconds: Math.floor(atMs / 1000), nanos: (atMs % 1000) * 1_000_000 })} ${where}${what}`
    lines = [...lines, line].slice(-mostLines)
    log(line, isTrouble)
  }
  const over = ({ _tag, path }: SyncAct, outcome: ActOutcome): void => {
    counts[outcome._tag === 'Done' ? 'done' : outcome._tag === 'Refused' ? 'left' : 'failed'] += 1
    note(`${_tag} ${visible(path)}: ${outcomeText(outcome)}`, outcome._tag === 'Failed')
  }
  return {
    watched: (one) => {
      note(`open ${visible(root)}`, false)
      return {
        ...one,
        act: (act, content) =>
          pipe(
            one.act(act, content),
            T.tapIO((outcome) => () => over(act, outcome)),
          ),
        makeAll: (acts, contents) =>
          pipe(
            one.makeAll(acts, contents),
            TE.tapIO((left) => () => note(`made ${acts.length - left.length} of ${acts.length} new entries`, false)),
          ),
        look: (folders) =>
          pipe(
            one.look(folders),
            TE.tapError(({ reason }) => TE.fromIO(() => note(`it cannot be listed: ${visible(reason)}`, true))),
          ),
        close: () => {
          note(`closed after ${counts.done} acts done, ${counts.left} left, ${counts.failed} failed`, false)
          one.close()
        },
      }
    },
    text: () => {
      const acts = `acts: ${counts.done} done, ${counts.left} left, ${counts.failed} failed`
      return `${[visible(root), acts, '', ...lines.toReversed()].join('\n')}\n`
    },
  }
}
