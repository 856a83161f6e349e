/** The file of a backup: YAML that people can read, and from which they can remove what should not be restored. */
import * as C from '../../checked.ts'
import { type Json, textAt } from '../../cluster/json.ts'
import type { ClusterObject } from '../../cluster/live.ts'
import { isSameJson } from '../../cluster/same-json.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { printYamlStream } from '../../print/yaml.ts'
import { source } from '../../text/source.ts'
import { jsonOf } from '../../yaml/json.ts'
import { readYaml } from '../../yaml/read.ts'
import { idOf, inOrder, isWithin, type KeptObject, kept, tenantsIn, withoutUsual } from './objects.ts'

/**
 * `left`: objects with the platform's labels that are not in the form that the platform creates, or whose namespace is
 * not.
 */
export type Backup = { readonly objects: ReadonlyArray<KeptObject>; readonly left: ReadonlyArray<string> }

const showName = (object: Json): string => {
  const [kind, name, place] = [['kind'], ['metadata', 'name'], ['metadata', 'namespace']].map((path) =>
    textAt(object, ...path),
  )
  return `${kind ?? 'something'}/${name ?? ''}${place === undefined ? '' : ` in namespace ${place}`}`
}

export const backupOf = (live: ReadonlyArray<ClusterObject>): Backup => {
  const found = live.flatMap((object) => kept(object) ?? [])
  const tenants = new Set(tenantsIn(found))
  const objects = found.filter((one) => isWithin(tenants, one))
  return {
    objects: inOrder(withoutUsual(objects)),
    left: live.filter((object) => kept(object) === undefined).map(showName),
  }
}

/** Distinguishes the file of an empty backup from an empty file. */
const HEADING = '# The users, tokens, namespaces and variables of '

/** `url`: where users reach the platform. The same objects give the same text. */
export const printBackup = (url: string, { objects }: Pick<Backup, 'objects'>): string =>
  [
    `${HEADING}${url}.`,
    '# It holds values of variables, and says who may do what: keep it where nobody else reads or changes it.',
    printYamlStream(objects.map(({ object }) => object)),
  ].join('\n')

const MOST_FAULTS = 10

const refused = (file: string, what: string): Diagnostic =>
  error('DT6308', `${file}: ${what}`, {
    help: 'only what `devtool platform backup` writes is restored; you may take objects out of the file',
  })

/** `json` is absent when the text is not YAML; `fault` says why. */
type Document = { readonly number: number; readonly json?: Json; readonly fault?: string }

/** Each document is parsed separately, so the limits of a Compose file do not apply to the whole backup. */
const documentsIn = (file: string, text: string): ReadonlyArray<Document> =>
  text.split(/^---[ \t\r]*$/m).flatMap((part, index): ReadonlyArray<Document> => {
    const [number, read] = [index + 1, readYaml(source(file, '.', part))]
    const [first] = C.findings(read)
    if (first !== undefined) return [{ number, fault: first.message }]
    return (C.valueOf(read) ?? []).map((node) => ({ number, json: jsonOf(node) }))
  })

/** DT6308 for anything that no backup contains. */
export const readBackup = (file: string, text: string): C.Checked<ReadonlyArray<KeptObject>> => {
  const read = documentsIn(file, text).map(({ fault, json = null, number }) => {
    const found = kept(json)
    return { found: found && isSameJson(found.object, json) ? found : undefined, json, number, fault }
  })
  const objects = read.flatMap(({ found }) => found ?? [])
  const tenants = new Set(tenantsIn(objects))
  const seen = new Set<string>()
  const faultIn = ({ fault, found }: (typeof read)[number]): string | undefined => {
    if (fault !== undefined) return fault
    if (found === undefined) return 'a backup has no such object'
    if (!isWithin(tenants, found)) return 'its namespace is not in the file'
    if (seen.has(idOf(found))) return 'it is there twice'
    seen.add(idOf(found))
    return undefined
  }
  const faults = read.flatMap((one) => {
    const fault = faultIn(one)
    const name = one.fault === undefined ? ` (${showName(one.json)})` : ''
    return fault === undefined ? [] : [refused(file, `document ${one.number}${name}: ${fault}`)]
  })
  const [first, ...more] = faults.slice(0, MOST_FAULTS)
  if (first !== undefined) return C.fail(first, ...more)
  if (objects.length === 0 && !text.startsWith(HEADING)) return C.fail(refused(file, 'there is nothing in it'))
  return C.ok(objects)
}
