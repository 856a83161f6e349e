/** A plan as text for people, and as the value whose JSON is published. */
import type { Value } from '../print/value.ts'
import type { Place } from '../source.ts'
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

const showLine = (action: Action, width: number): string => {
  const place = placeOfAction(action)
  const text = `  ${showAction(action)}`
  return place === undefined ? text : `${text.padEnd(width + 2)}  # ${place.file}:${place.line}`
}

/** Numbered stages, one line an action; ends with a newline. '' for an empty plan. */
export const showPlan = (plan: Plan): string => {
  let width = 0
  for (const action of plan.actions) width = Math.max(width, showAction(action).length)
  return stagesOf(plan)
    .flatMap((actions, index) => [`stage ${index + 1}`, ...actions.map((action) => showLine(action, width))])
    .map((line) => `${line}\n`)
    .join('')
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
