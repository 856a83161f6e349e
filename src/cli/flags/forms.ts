/** Output formats. */
import type { Report } from '../../app/reports/reports.ts'

export const outputForms = ['yaml', 'json', 'plan'] as const

/** `text` is for people, the others for programs. */
export const dataForms = ['text', 'json', 'yaml'] as const
export type DataForm = (typeof dataForms)[number]

/** For logs: one object per line. */
export const logForms = ['text', 'json'] as const

/** For lists. `name`: one name per line. */
export const listForms = [...dataForms, 'name'] as const
export type ListForm = (typeof listForms)[number]

/** `md`: for comments on a merge request. */
export const endpointForms = [...listForms, 'md'] as const
export type EndpointForm = (typeof endpointForms)[number]

/** For a single document that people read as JSON, too. */
export const recordForms = ['json', 'yaml'] as const

export const reportForms = ['sarif', 'codequality'] as const satisfies ReadonlyArray<Report['form']>
