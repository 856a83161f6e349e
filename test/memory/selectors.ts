/** Selectors in the API's notation. */
import { textAt } from '../../src/domain/cluster/json.ts'
import { type ClusterObject, labelOf } from '../../src/domain/cluster/live.ts'

/** Splits at commas outside of parentheses. */
const parts = (selector: string): ReadonlyArray<string> =>
  selector
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const holds = (object: ClusterObject, part: string): boolean => {
  const among = /^(\S+)\s+(in|notin)\s*\((.*)\)$/.exec(part)
  if (among !== null) {
    const [, name = '', verb, list = ''] = among
    const value = labelOf(object, name)
    const isIn =
      value !== undefined &&
      list
        .split(',')
        .map((one) => one.trim())
        .includes(value)
    return verb === 'in' ? isIn : !isIn
  }
  const compared = /^([^=!]+)(==|!=|=)(.*)$/.exec(part)
  if (compared !== null) {
    const [, name = '', sign, value] = compared
    const isEqual = labelOf(object, name.trim()) === value?.trim()
    return sign === '!=' ? !isEqual : isEqual
  }
  return part.startsWith('!') ? labelOf(object, part.slice(1)) === undefined : labelOf(object, part) !== undefined
}

export const hasLabels = (object: ClusterObject, selector: string): boolean =>
  parts(selector).every((part) => holds(object, part))

/** A missing field counts as empty text. */
export const hasFields = (object: ClusterObject, selector: string): boolean =>
  parts(selector).every((part) => {
    const [, path = '', sign, value = ''] = /^([^=!]+)(==|!=|=)(.*)$/.exec(part) ?? []
    const isEqual = (textAt(object, ...path.split('.')) ?? '') === value
    return sign === '!=' ? !isEqual : isEqual
  })
