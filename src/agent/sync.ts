/** Serves the folders of a development container to the synchronisation. */
import type { Duplex } from 'node:stream'
import { type Diary, diaryOf } from '../adapters/sync/diary.ts'
import { diskTree } from '../adapters/sync/disk-tree.ts'
import { ignoresCase } from '../adapters/sync/naming.ts'
import { type Opens, serveTree } from '../adapters/sync/serve-tree.ts'
import type { TreeSessions } from '../adapters/sync/tree-sessions.ts'
import { systemClock } from '../adapters/system/clock.ts'
import { ignoredBy, syncRulesFrom } from '../domain/ignore/sync-rules.ts'

const diaries = new Set<Diary>()
const sessions: TreeSessions = new Map()

export const serveSync = async (channel: Duplex): Promise<void> => {
  let diary: Diary | undefined
  const opened: Opens = ({ file, ignores, root }) => {
    const rules = syncRulesFrom(ignores)
    if (rules === undefined) throw new Error('the ignore rules are invalid')
    // Failures also appear in the log of the container.
    diary = diaryOf(systemClock, root, (line, isTrouble) => isTrouble && console.error(`devtool: ${root}: ${line}`))
    diaries.add(diary)
    // Throws where files get other names.
    ignoresCase(root)
    return diary.watched(diskTree({ clock: systemClock, root, file, isIgnored: ignoredBy(rules) }))
  }
  await serveTree(systemClock, channel, opened, sessions)
  if (diary !== undefined) diaries.delete(diary)
}

/** The log of all folders that are synchronised now. */
export const diaryText = (): string => [...diaries].map(({ text }) => text()).join('\n')
