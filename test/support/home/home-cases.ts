/** Broken settings folders, and a user who interrupts prompts. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { nodeHome } from '../../../src/adapters/node-fs/home.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { error } from '../../../src/domain/diagnostic/diagnostic.ts'
import type { Home } from '../../../src/ports/home.ts'
import type { Prompt, Question } from '../../../src/ports/prompt.ts'

export const noHome: Home = nodeHome({}, systemClock)

const FOLDER = '/tmp/devtool-held-home'

/** Another process, on an unknown machine, holds the lock of the contexts. */
export const heldHome = (): Home => {
  mkdirSync(`${FOLDER}/context`, { recursive: true })
  writeFileSync(`${FOLDER}/context/config.json.lock`, '4242 elsewhere x')
  const home = nodeHome({ DEVTOOL_HOME: FOLDER }, systemClock, { staleMs: 60_000, waitMs: 20 })
  const change: Home['change'] = (path, replace) => async () => {
    const changed = await home.change(path, replace)()
    rmSync(FOLDER, { recursive: true })
    return changed
  }
  return { ...home, change }
}

const brokenOff = ({ text }: Question) => TE.left(error('DT2103', `"${text}" was not answered`))

/** Ctrl-C at every prompt. */
export const impatientPrompt: Prompt = { confirm: brokenOff, choose: brokenOff, ask: brokenOff }
