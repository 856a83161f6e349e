/** A list in a sentence: `a, b and c`, each once. */

/** Longer lists are cut: nobody reads them to the end. */
const mostListed = 60

export const listed = (words: ReadonlyArray<string>): string => {
  const all = [...new Set(words)]
  const items = all.length > mostListed ? [...all.slice(0, mostListed), `${all.length - mostListed} more`] : all
  return [items.slice(0, -1).join(', '), items.at(-1)].filter(Boolean).join(' and ')
}
