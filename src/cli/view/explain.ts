/** `explain`: a code or field, or a list of either. */
import {
  CodeExplanation,
  type Explanation,
  FieldExplanation,
  showExplanation as showText,
  TopicList,
} from '../../domain/explain/explain.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'

export const showTopics = (form: DataForm, topics: ReadonlyArray<string>): string =>
  isData(form) ? printData(form, TopicList, { topics }) : `${topics.join('\n')}\n`

export const showExplanation = (form: DataForm, found: Explanation): string => {
  if (!isData(form)) return `${showText(found)}\n`
  return 'status' in found ? printData(form, CodeExplanation, found) : printData(form, FieldExplanation, found)
}
