/** Errors of file systems by their codes, as phrases that follow "cannot write FILE:". */
const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space left on the disk'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file would be too large'],
  ['EIO', 'the disk reports an error'],
  ['ELOOP', 'too many symbolic links'],
  ['ENAMETOOLONG', 'the path is too long'],
  ['ENOSYS', 'the file system does not support it'],
  ['EOPNOTSUPP', 'the file system does not support it'],
  ['EILSEQ', 'the file system does not allow this name'],
  ['EINVAL', 'the file system does not allow it'],
  ['EMFILE', 'too many open files'],
  ['ERR_INVALID_ARG_VALUE', 'the path holds a null character'],
])

export const fileErrorText = (code: string): string => reasons.get(code) ?? code

/** Advice about a file that cannot be written; `otherwise`: unless the disk is full. */
export const writeHelp = (code: string | undefined, otherwise: string): string =>
  code === 'ENOSPC' || code === 'EDQUOT' ? 'free some space there' : otherwise
