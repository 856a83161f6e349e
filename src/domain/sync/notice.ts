/** The messages about a synchronisation. Names of files and reasons may come from a container, so they are escaped. */
import { showCount } from '../progress/size.ts'
import { visible } from '../text/visible.ts'
import type { Deletions, SyncNotice } from './cycle-state.ts'
import { places } from './troubles.ts'

export const showDeletions = ({ deleted, deleter, files }: Deletions): string =>
  `${deleted} of ${files} files were deleted ${places[deleter]}, which may be a mistake`

const otherPlace = ({ deleter }: Deletions): string => places[deleter === 'here' ? 'there' : 'here']

/** The two answers. */
export const showChoices = (deletions: Deletions): Readonly<Record<'allow' | 'refuse', string>> => ({
  allow: `deletes them ${otherPlace(deletions)}, too`,
  refuse: `brings them back ${places[deletions.deleter]}`,
})

const limits: Readonly<Record<string, string>> = {
  ENOSPC: 'the kernel watches no more of them (fs.inotify.max_user_watches)',
  EMFILE: 'the kernel lets no more programs watch (fs.inotify.max_user_instances)',
}

/** `name`: of the development container. Undefined: no message is needed. */
export const showNotice = (name: string, notice: SyncNotice): string | undefined => {
  switch (notice._tag) {
    case 'Complete':
      return undefined
    case 'Conflict': {
      const [path, keptAs] = [visible(notice.path), visible(notice.keptAs)]
      return `${name}: ${path} was changed at both ends; that ${places[notice.end]} is kept beside it as ${keptAs}`
    }
    case 'Deletions': {
      const { deletions } = notice
      const { allow, refuse } = showChoices(deletions)
      return `${name}: ${showDeletions(deletions)}: they stay ${otherPlace(deletions)}; \`devtool sync allow ${name}\` ${allow}, \`devtool sync refuse ${name}\` ${refuse}`
    }
    case 'ActTrouble':
      return `${name}: ${visible(notice.act.path)} cannot be written ${places[notice.act.end]}: ${visible(notice.reason)}`
    case 'TreeTrouble':
      return `${name}: the folder ${places[notice.end]} cannot be read: ${visible(notice.reason)}`
    case 'Polled': {
      const { because, end, folders } = notice
      const why = limits[because] ?? `changes on ${visible(because)} are not told`
      const which = folders === 1 ? '1 folder is' : `${showCount(folders)} folders are`
      return `${name}: ${which} looked at every two seconds ${places[end]}, since ${why}`
    }
    case 'StoreTrouble':
      return `${name}: files are not synchronised, since their state cannot be stored: ${visible(notice.reason)}`
  }
}
