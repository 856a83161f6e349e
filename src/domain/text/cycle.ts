/** Cycles in messages: `a → b → a`. A long one is named by its first steps. */

const [mostSteps, firstSteps] = [8, 3]

/** `way` leads from the step at `from` back to it. */
export const cycleText = (way: ReadonlyArray<string>, from = 0): string => {
  const count = way.length - from
  const steps =
    count <= mostSteps ? way.slice(from) : [...way.slice(from, from + firstSteps), `… (${count - firstSteps} more)`]
  return [...steps, way[from]].join(' → ')
}
