/** Generated files as compose-go reads them: see test/vectors/README.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

const folder = join(import.meta.dirname, '../../vectors')

export const rowsOf = <Row>(name: string, row: t.Type<Row>): ReadonlyArray<Row> =>
  readFileSync(join(folder, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const read = row.decode(JSON.parse(line))
      if (E.isLeft(read)) throw new Error(`${name}: ${line}`)
      return read.right
    })

/** A field, a value, what Compose makes of it, and what devtool does. */
export const fieldRow = t.tuple([t.string, t.unknown, t.string, t.string])
