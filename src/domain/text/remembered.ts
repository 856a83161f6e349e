/** The services of a project mostly have the same few sizes and durations. */

const mostResults = 1000

/** `read`, which is a function of its text alone, with its latest results kept. */
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
