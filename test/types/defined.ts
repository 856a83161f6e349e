/** What `defined` makes of a type. Checked by the compiler only. */
import { defined } from '../../src/domain/object/defined.ts'

type Image = { readonly name: string; readonly tag?: string; readonly kind: 'local' | 'remote' }

export const imageOf = (name: string, tag: string | undefined): Image => defined({ name, tag, kind: 'local' })
export const spread = (name: string, tag: string | undefined): Image => ({ name, ...defined({ tag }), kind: 'local' })

// @ts-expect-error a member that may be undefined does not fill one that must be there
export const nameless = (name: string | undefined): Image => defined({ name, kind: 'local' })
// @ts-expect-error nor does one of another type
export const numbered = (tag: number | undefined): Image => ({ name: 'web', ...defined({ tag }), kind: 'local' })
// @ts-expect-error without `defined`, an optional member may not be undefined
export const undefinedTag = (tag: string | undefined): Image => ({ name: 'web', tag, kind: 'local' })
