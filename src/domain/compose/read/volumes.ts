/** Top-level `volumes`: the claims that services mount. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, remark, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { as, optional, parse } from '../../shape/parse.ts'
import type { Located, ShapeMember, ValueOf } from '../../shape/shape.ts'
import { readBytes, showBytes } from '../../text/bytes.ts'
import { dnsLabel, isDnsName } from '../../text/dns-name.ts'
import type { Span } from '../../text/source.ts'
import { get } from '../../yaml/node.ts'
import type { namedVolumeShape } from '../fields/volumes.ts'
import type { Volume } from '../volume-model.ts'
import { legalAnnotations } from './labels.ts'
import { unlikelySize } from './sizes.ts'

type Raw = ValueOf<typeof namedVolumeShape>

const defaultSize = '1Gi'

type External = NonNullable<Raw['value']['external']>

/** `external: true`, or the old `external: {name: …}`. */
export const externalName = (
  external: External | undefined,
): { readonly isExternal: boolean; readonly name?: string } => {
  if (external === undefined) return { isExternal: false }
  if (typeof external.value === 'boolean') return { isExternal: external.value }
  const name = get(external.value, 'name')
  return { isExternal: true, ...(name?._tag === 'Scalar' ? { name: name.text } : {}) }
}

/** An external object has the name that is written, unless no object can have that name. */
export const objectName = (wanted: string, isExternal: boolean): string =>
  isExternal && isDnsName(wanted) ? wanted : dnsLabel(wanted)

/**
 * DT1103: a note for a volume that devtool names, since nobody sees the name; a warning for an external object, whose
 * name has to exist.
 */
export const changedName = (
  what: string,
  wanted: string,
  object: string,
  isExternal: boolean,
  place: { readonly at: Span; readonly path: string },
): ReadonlyArray<Diagnostic> => {
  if (object === wanted) return []
  const message = `"${wanted}" is not a DNS label, so the ${what} is named ${object}`
  return [isExternal ? warning('DT1103', message, place) : remark('DT1103', message, place)]
}

const classFindings = (written: Located<string> | undefined): ReadonlyArray<Diagnostic> =>
  written === undefined || isDnsName(written.value)
    ? []
    : [error('DT1018', `"${written.value}" is not a valid storage class name`, { at: written.at, path: written.path })]

/** DT1046: fields that `external` would make ineffective, and `name` beside `external.name`. */
export const besideExternal = (raw: Located<object>, allowed: ReadonlyArray<string>) => {
  const entries = raw.at._tag === 'Mapping' ? raw.at.entries : []
  const isNamed = get(get(raw.at, 'external'), 'name') !== undefined
  return entries
    .filter(
      ({ key: { text } }) =>
        text !== 'external' && (text !== 'name' || isNamed) && !text.startsWith('x-') && !allowed.includes(text),
    )
    .map(({ key }) =>
      error('DT1046', `${key.text} cannot be combined with external`, {
        at: key,
        path: raw.path,
        help: 'an external object is used as it is: remove one of the two',
      }),
    )
}

const readSize = (written: Located<string>): Checked<string> =>
  C.andThen(({ value }: Located<number>) =>
    value > 0
      ? C.note(showBytes(value), unlikelySize('a volume', as(showBytes(value), written)))
      : C.fail(error('DT1020', 'a volume needs a size above 0', { at: written.at, path: written.path })),
  )(parse('DT1020', readBytes, 'write a size such as 5Gi')(written))

/** Finds DT1018, DT1020, DT1046; warns DT1103, DT1112. */
export const readVolume = ({ key, value: raw }: ShapeMember<Raw | undefined>): Checked<Volume> => {
  const path = `volumes.${key.text}`
  const value = raw?.value ?? {}
  const { isExternal, name: externalLabel } = externalName(value.external)
  const wanted = value.name?.value ?? externalLabel ?? key.text
  const object = objectName(wanted, isExternal)
  const at = value.name?.at ?? key
  const found = [
    ...changedName('claim', wanted, object, isExternal, { at, path }),
    ...classFindings(value.driver_opts?.value.class),
    ...(isExternal && raw !== undefined ? besideExternal(raw, []) : []),
  ]
  const options = value.driver_opts?.value
  const nameNode = get(get(raw?.at, 'external'), 'name')
  const parts = C.struct({
    size: optional(options?.size, readSize),
    annotations: legalAnnotations(value.labels?.value ?? []),
  })
  return C.andThen(({ size, annotations }: C.ValueIn<typeof parts>) => {
    const volume: Volume = {
      name: key.text,
      object,
      isExternal,
      size: size ?? defaultSize,
      ...defined({ storageClass: options?.class }),
      places: defined({
        object: value.name?.at ?? nameNode,
        isExternal: isExternal ? value.external?.at : undefined,
        size: options?.size?.at,
        init: value['x-devtool-volume-init']?.at,
      }),
      annotations: annotations ?? [],
      init: value['x-devtool-volume-init']?.value ?? false,
      at: key,
      path,
    }
    return C.note(volume, found)
  })(parts)
}
