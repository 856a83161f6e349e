/** A plan as text for people, and as the value whose JSON is published. */
import type { PlannedImage } from '../build/show.ts'
import type { Value } from '../print/value.ts'
import type { Place } from '../text/source.ts'
import type { PlanJson } from './codec.ts'
import { type Action, foldAction, type Plan, refOf, showRef } from './plan.ts'
import { stagesOf } from './stages.ts'

const showAction = foldAction<string>({
  Apply: ({ object }) => `apply  ${showRef(refOf(object))}`,
  Await: ({ ref, condition }) => `await  ${showRef(ref)} ${condition}`,
})

/** Where the whole object comes from is its first origin. */
const placeOfAction = foldAction<Place | undefined>({
  Apply: ({ origins: [first] }) => first?.at,
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

/** The images, then numbered stages, one line an action; ends with a newline. '' when there is nothing. */
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

type ActionJson = PlanJson['actions'][number]

const toActionJson = foldAction<ActionJson>({
  Apply: ({ id, after, object, origins }) => ({ type: 'apply', id, after, object, origins }),
  Await: ({ id, after, ref, condition, at }) => ({ type: 'await', id, after, ref, condition, at }),
})

/** What `readPlan` reads back once it has been printed as JSON. */
export const toPlanJson = ({ schema, environment, actions }: Plan): PlanJson & Value => ({
  schema,
  environment,
  actions: actions.map(toActionJson),
})
