/** The files that have a schema. */
export const schemaForms = ['compose', 'manifest'] as const
export type SchemaForm = (typeof schemaForms)[number]
