/** The fields of a manifest as flat rows, like those of a Compose file. */
import { type FieldRow, rowsOf } from '../compose/field-rows.ts'
import { manifestFields } from './fields/document.ts'

export const manifestRows = (): ReadonlyArray<FieldRow> => rowsOf('', manifestFields)
