/** Asks about many deletions in the terminal of `up`, before the program takes over the terminal. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Deletions } from '../../domain/sync/cycle-state.ts'
import { isOpenQuestion } from '../../domain/sync/deletions.ts'
import { isDeletion } from '../../domain/sync/guard.ts'
import { showChoices, showDeletions } from '../../domain/sync/notice.ts'
import type { Ports } from '../../ports/ports.ts'
import { interrupted } from './rounds.ts'
import type { FolderSync } from './sync-folder.ts'

/** How often it is checked whether the engine knows a question: for five seconds, in which this machine is not suspended. */
const judgePollMs = 50
const mostPolls = 100

const askedIn = async ({ clock }: Pick<Ports, 'clock'>, { state }: FolderSync): Promise<Deletions | undefined> => {
  for (let polls = 0; polls < mostPolls; polls += 1) {
    const { open, question } = state()
    if (question !== undefined || !open.some(isDeletion)) return question
    await clock.sleep(judgePollMs)
  }
  return undefined
}

/** Ends the prompt when the question has been answered elsewhere, or has changed. */
const watched = ({ clock }: Pick<Ports, 'clock'>, sync: FolderSync, asked: Deletions) => {
  const over = new AbortController()
  const stop = clock.every(judgePollMs, () => {
    if (!isOpenQuestion(sync.state(), asked)) over.abort()
  })
  return { signal: over.signal, stop }
}

/**
 * `mayAsk`: called right before it asks. Right: whether the question was answered; if not, another command may answer
 * it later. Left: Ctrl-C.
 */
export const askDeletions =
  (
    ports: Pick<Ports, 'clock' | 'prompt'>,
    name: string,
    sync: FolderSync,
    mayAsk: () => boolean,
  ): TE.TaskEither<Diagnostic, boolean> =>
  async () => {
    for (;;) {
      const asked = await askedIn(ports, sync)
      if (asked === undefined || !mayAsk()) return E.right(false)
      const { allow, refuse } = showChoices(asked)
      const text = `${name}: ${showDeletions(asked)}`
      const { signal, stop } = watched(ports, sync, asked)
      const question = ports.prompt.choose({ text, flag: '`devtool sync allow`', signal }, [
        { value: 'later', text: 'decide later' },
        { value: 'Carry', text: `allow: ${allow}` },
        { value: 'Restore', text: `refuse: ${refuse}` },
      ])
      const answer = await question()
      stop()
      // A new question may have come up meanwhile, which was not shown.
      if (E.isLeft(answer)) {
        if (signal.aborted) continue
        return answer.left.code === 'DT2103' ? E.left(interrupted) : E.right(false)
      }
      const { right } = answer
      if (right !== 'Carry' && right !== 'Restore') return E.right(false)
      if (sync.answer(asked, right)) return E.right(true)
    }
  }
