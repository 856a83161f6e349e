/** `version` as data. */
import * as t from 'io-ts'
import { defined } from '../../domain/object/defined.ts'
import { document } from '../../domain/print/document.ts'
import { printData } from './data.ts'

export const Version = document(
  'version',
  'The installed version.',
  {
    version: [t.string, 'the version'],
    node: [t.string, 'the version of Node that it runs on'],
    platform: [t.string, 'operating system and processor, as `linux-x64`'],
  },
  {
    commit: [t.string, 'the commit that it was built from; ends with `-dirty` when files were changed'],
    date: [t.string, 'the date of that commit, or SOURCE_DATE_EPOCH of the build'],
  },
)

const orUndefined = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

/** The build replaces the two variables. */
export const showVersion = (form: 'json' | 'yaml', version: string): string =>
  printData(form, Version, {
    version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    ...defined({
      commit: orUndefined(process.env['DEVTOOL_COMMIT']),
      date: orUndefined(process.env['DEVTOOL_DATE']),
    }),
  })
