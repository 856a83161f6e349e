/** The forms in which things can be had. */
export const outputForms = ['yaml', 'json', 'plan'] as const
export type OutputForm = (typeof outputForms)[number]

/** `text` is for people, the others for programs. */
export const dataForms = ['text', 'json', 'yaml'] as const
export type DataForm = (typeof dataForms)[number]

export const reportForms = ['sarif', 'codequality'] as const
export type Report = { readonly form: (typeof reportForms)[number]; readonly file: string }
