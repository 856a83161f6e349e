/** What the response to a create request says about the new object. */
import { isObject, type Json, listAt, textAt } from '../cluster/json.ts'

/** `isControlled`: a controller owns the object and takes care of it. */
export type CreatedObject = {
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly isControlled: boolean
}

export const readMade = (json: Json): CreatedObject | undefined => {
  const [kind, name, uid] = [textAt(json, 'kind'), textAt(json, 'metadata', 'name'), textAt(json, 'metadata', 'uid')]
  if (kind === undefined || name === undefined || uid === undefined) return undefined
  const owners = listAt(json, 'metadata', 'ownerReferences')
  return { kind, name, uid, isControlled: owners.some((owner) => isObject(owner) && owner['controller'] === true) }
}
