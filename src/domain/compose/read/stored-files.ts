/** Top-level `configs` and `secrets`: content that becomes a ConfigMap or Secret. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import type { Located, ShapeMember, ValueOf } from '../../shape/shape.ts'
import { encodeBase64 } from '../../text/base64.ts'
import { pathWritten } from '../../text/path.ts'
import type { Span } from '../../text/source.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import { get } from '../../yaml/node.ts'
import type { configShape, secretShape } from '../fields/volumes.ts'
import { contentFault, textOf } from '../file-content.ts'
import type { Files } from '../files.ts'
import type { StoredFile } from '../volume-model.ts'
import { legalAnnotations } from './labels.ts'
import { besideExternal, changedName, externalName, objectName } from './volumes.ts'

type Raw = ValueOf<typeof configShape> | ValueOf<typeof secretShape>
type Content = NonNullable<StoredFile['content']>

/** The API server's limit for one object, minus some room for its name and labels. */
const mostBytes = 1_000_000

const ofFile = (written: Located<string>, files: Files): Checked<Content | undefined> => {
  const path = pathWritten(written.at, written.value)
  const content = files.want(path)
  if (content === undefined) return C.ok(undefined)
  if (content._tag !== 'File') {
    const fault = contentFault(path, content, written.at)
    return fault === undefined ? C.ok(undefined) : C.fail(fault)
  }
  if (content.bytes.length > mostBytes) {
    return C.fail(
      error('DT1041', `${path} is larger than 1 MB, the limit of one object`, {
        at: written.at,
        path: written.path,
      }),
    )
  }
  const text = textOf(content.bytes)
  return C.ok(text === undefined ? { _tag: 'Bytes', base64: encodeBase64(content.bytes) } : { _tag: 'Text', text })
}

const ofVariable = (written: Located<string>, variables: Variables): Checked<Content> => {
  const text = variables(written.value)
  if (text !== undefined) return C.ok({ _tag: 'Text', text })
  return C.fail(
    error('DT1010', `the variable ${written.value} is required`, {
      at: written.at,
      path: written.path,
      help: `set ${written.value} in the environment or in .env`,
    }),
  )
}

const readContent = (raw: Raw, files: Files, variables: Variables): Checked<Content | undefined> => {
  const { file, content, environment } = raw.value
  const given = [file, content, environment].filter((source) => source !== undefined)
  if (given.length !== 1) {
    const why = given.length === 0 ? 'it has no content' : 'it has more than one content'
    return C.fail(
      error('DT1041', why, { at: raw.at, path: raw.path, help: 'set one of file, content and environment' }),
    )
  }
  if (file !== undefined) return ofFile(file, files)
  if (environment !== undefined) return ofVariable(environment, variables)
  return C.ok({ _tag: 'Text', text: content?.value ?? '' })
}

const placesOf = ({ value: { content, environment, external, file, name } }: Raw): ReadonlyArray<Span> => {
  const written = [file, content, environment, name, external].flatMap((one) => (one === undefined ? [] : [one.at]))
  const named = external === undefined || typeof external.value === 'boolean' ? undefined : get(external.value, 'name')
  return named === undefined ? written : [...written, named]
}

/** Reads one entry of `configs` or `secrets`. Finds DT1007, DT1010, DT1041, DT1046; warns DT1103, DT1112. */
export const readStoredFile =
  (section: 'configs' | 'secrets', files: Files, variables: Variables) =>
  ({ key, value: raw }: ShapeMember<Raw | undefined>): Checked<StoredFile> => {
    const path = `${section}.${key.text}`
    if (raw === undefined) {
      return C.fail(
        error('DT1041', 'it has no content', { at: key, path, help: 'set one of file, content and environment' }),
      )
    }
    const { isExternal, name: externalLabel } = externalName(raw.value.external)
    const wanted = raw.value.name?.value ?? externalLabel ?? key.text
    const object = objectName(wanted, isExternal)
    const found: ReadonlyArray<Diagnostic> = [
      ...changedName('object', wanted, object, isExternal, { at: raw.value.name?.at ?? key, path }),
      ...(isExternal ? besideExternal(raw, ['driver']) : []),
    ]
    const parts = C.struct({
      content: isExternal ? C.ok(undefined) : readContent(raw, files, variables),
      annotations: legalAnnotations(raw.value.labels?.value ?? []),
    })
    return C.andThen(({ content, annotations }: C.ValueIn<typeof parts>) =>
      C.note<StoredFile>(
        {
          name: key.text,
          object,
          ...defined({ content }),
          places: placesOf(raw),
          annotations: annotations ?? [],
          at: key,
        },
        found,
      ),
    )(parts)
  }
