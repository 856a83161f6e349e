/** The services of a project mostly use the same few sizes and durations, so few results are kept. */

const mostResults = 1000

/** `read`, whose result depends on its text alone, with the latest results kept. */
export const remembered = <A extends object>(read: (text: string) => A): ((text: string) => A) => {
  const results = new Map<string, A>()
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = read(text)
    if (results.size >= mostResults) results.clear()
    results.set(text, result)
    return result
  }
}
