import type { CallAnswer } from '../api/routes.ts'

export type Namespace = CallAnswer<'getNamespace'>
export type PreviewOfNamespace = CallAnswer<'getPreview'>
