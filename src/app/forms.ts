/** The forms in which things can be had. */
export const outputForms = ['yaml', 'json', 'plan'] as const
export type OutputForm = (typeof outputForms)[number]

export const reportForms = ['sarif', 'codequality'] as const
export type Report = { readonly form: (typeof reportForms)[number]; readonly file: string }
