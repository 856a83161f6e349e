/** One word for a POSIX shell, whatever characters it has. */
export const shellQuoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
