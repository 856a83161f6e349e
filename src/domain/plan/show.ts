/** A plan as text for people. */
import type { PlannedImage } from '../build/show.ts'
import { showKey } from '../cluster/resources.ts'
import type { Place } from '../text/source.ts'
import { type Action, fold, refOf, showRef } from './action.ts'
import type { Plan } from './plan.ts'
import { stagesOf } from './stages.ts'

const showAction = fold<string>({
  Apply: ({ object }) => `apply  ${showRef(refOf(object))}`,
  Create: ({ because, target }) => `create ${showKey(target)}  (${because})`,
  Delete: ({ because, target }) => `delete ${showKey(target)}  (${because})`,
  Scale: ({ because, replicas, target }) => `scale  ${showKey(target)} to ${replicas}  (${because})`,
  Patch: ({ because, target }) => `patch  ${showKey(target)}  (${because})`,
  Await: ({ ref, condition }) => `await  ${showRef(ref)} ${condition}`,
})

/** The first origin is the place of the whole object. */
const placeOfAction = fold<Place | undefined>({
  Apply: ({ origins: [first] }) => first?.at,
  Create: () => undefined,
  Delete: () => undefined,
  Scale: () => undefined,
  Patch: () => undefined,
  Await: ({ at }) => at,
})

type Line = { readonly text: string; readonly place: Place | undefined }

const lineOf = (action: Action): Line => ({ text: showAction(action), place: placeOfAction(action) })

const lineOfImage = ({ at, name, names: [primary = ''] }: PlannedImage): Line => ({
  text: `build  ${name} -> ${primary}`,
  place: at,
})

const showLines = (lines: ReadonlyArray<Line>, width: number): ReadonlyArray<string> =>
  lines.map(({ place, text }) =>
    place === undefined ? `  ${text}` : `  ${text.padEnd(width)}  # ${place.file}:${place.line}`,
  )

const widest = (lines: ReadonlyArray<Line>): number => {
  let width = 0
  for (const { text } of lines) width = Math.max(width, text.length)
  return width
}

/** The images, then numbered stages with one action per line; ends with a newline. '' when there is nothing to do. */
export const showPlan = (plan: Plan, images: ReadonlyArray<PlannedImage> = []): string => {
  const builds = images.map(lineOfImage)
  const stages = stagesOf(plan).map((actions) => actions.map(lineOf))
  let width = 0
  for (const lines of stages) width = Math.max(width, widest(lines))
  const shown = [
    ...(builds.length === 0 ? [] : ['build', ...showLines(builds, widest(builds))]),
    ...stages.flatMap((lines, index) => [`stage ${index + 1}`, ...showLines(lines, width)]),
  ]
  return shown.map((line) => `${line}\n`).join('')
}
