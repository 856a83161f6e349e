/** Codes of `sync`. */

export const syncCodes = {
  DT5135: {
    status: 5,
    title: 'no synchronised folder',
    text: 'The commands below `devtool sync` work on folders that `devtool up` synchronises with development containers. The current folder is not one of them, nor inside or above one. The message lists them.',
  },
  DT5136: {
    status: 5,
    title: 'no kept copy',
    text: 'Before synchronisation overwrites or deletes a file of this machine, it keeps a copy for 7 days, as long as all copies of a folder take less than 1 GiB. There is none of what `devtool sync restore` was asked for. Files that you changed or deleted on this machine yourself are not kept.',
  },
  DT5137: {
    status: 1,
    title: 'nothing was restored',
    text: 'Every file that was to be restored is there with another content. `devtool sync restore PATH --overwrite` keeps a copy of what is there, and then replaces it.',
  },
  DT5138: {
    status: 1,
    title: 'a file cannot be restored',
    text: 'A kept copy could not be written to its path: there is a file or a link where a folder has to be, the disk is full, or the folder cannot be written. The copy is still kept. Files that were restored before it stay.',
  },
  DT5139: {
    status: 1,
    title: 'a synchronised folder cannot be listed',
    text: 'The folder of this machine was moved or deleted, or cannot be read.',
  },
  DT5140: {
    status: 5,
    title: 'no such question is open',
    text: 'When one end deletes many files at once, `devtool up` asks before it deletes them at the other end, too; `devtool sync allow` and `devtool sync refuse` answer. Now it asks nothing, or nothing about what was named, or it does not run on this machine.',
  },
  DT5141: {
    status: 2,
    title: 'several questions are open',
    text: 'Many files were deleted in more than one folder, and each question has an answer of its own. Name the development container, or the folder of this machine or of the container.',
  },
  DT5142: {
    status: 1,
    title: 'an answer was not taken',
    text: 'The `devtool up` that asked has ended, was stopped or killed, or asks something else by now: an answer counts only for the deletions that were shown. The answer was withdrawn, and nothing was deleted because of it. `devtool status` shows what is asked; the next `devtool up` asks again.',
  },
} as const
