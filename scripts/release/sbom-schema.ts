/** Whether an SBOM is one: by the schema of CycloneDX 1.6, from the npm package that has it. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { fetchedFile } from '../fetched.ts'

const library = {
  package: '@cyclonedx/cyclonedx-library',
  version: '10.3.0',
  integrity: 'sha512-RIT28sp1U0PCHaaeF3yNRwk6Jig/XJ8UsYAVOMYaHQ+0VVOvsjcp0PTWQFLUqJFF8XMud+Kdq6G+wtDAh+QJFA==',
}

const schema = (file: string): object => JSON.parse(readFileSync(fetchedFile(library, `res/schema/${file}`), 'utf8'))

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** None for a valid one. */
export const sbomFindings = (text: string): ReadonlyArray<string> => {
  const formats = { 'date-time': dateTime, 'idn-email': true, 'iri-reference': true, uri: true } as const
  const ajv = new Ajv({ strict: false, allErrors: true, formats })
  for (const file of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
    ajv.addSchema(schema(file), `http://cyclonedx.org/schema/${file}`)
  const isValid = ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'))
  isValid(JSON.parse(text))
  return (isValid.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`)
}
