/** The components of the release, as CycloneDX 1.6. */
import { createHash } from 'node:crypto'

/** `license`: an SPDX expression. `purl`: for components that are not from npm. */
export type Component = {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly purl?: string
}

export type Released = {
  readonly name: string
  readonly version: string
  readonly license: string
  /** RFC 3339. */
  readonly date: string
  readonly files: ReadonlyArray<{ readonly name: string; readonly sha256: string }>
}

const purlOf = ({ name, purl, version }: Omit<Component, 'license'>): string =>
  purl ?? `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Derived from the content, so that the same release has the same number. */
const serialOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const component = (type: string, one: Component): object => ({
  type,
  'bom-ref': purlOf(one),
  name: one.name,
  version: one.version,
  licenses: [{ expression: one.license }],
  purl: purlOf(one),
})

export const sbomOf = (released: Released, components: ReadonlyArray<Component>): string => {
  const { date, files, license, name, version } = released
  const own = component('application', { name, version, license })
  const packages = components.toSorted((a, b) => (purlOf(a) < purlOf(b) ? -1 : 1))
  const artifacts = files.map((file) => ({
    type: 'file',
    'bom-ref': file.name,
    name: file.name,
    hashes: [{ alg: 'SHA-256', content: file.sha256 }],
  }))
  const refs = packages.map(purlOf)
  const content = {
    metadata: { timestamp: date, component: own },
    components: [...packages.map((one) => component('library', one)), ...artifacts],
    dependencies: [{ ref: purlOf({ name, version }), dependsOn: refs }, ...refs.map((ref) => ({ ref, dependsOn: [] }))],
  }
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialOf(JSON.stringify(content)),
    version: 1,
  }
  return `${JSON.stringify({ ...head, ...content }, undefined, 2)}\n`
}
