/** `version` as data. */
import * as t from 'io-ts'
import { defined } from '../../domain/object/defined.ts'
import { document } from '../../domain/print/document.ts'
import type { DataForm } from '../flags/forms.ts'
import { printData } from './data.ts'
import type { RenderedView } from './view.ts'

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
    newest: [t.string, 'the version that was released last, with --check'],
  },
)

const orUndefined = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

/** The build replaces the two variables. */
export const showVersion = (form: 'json' | 'yaml', version: string, newest?: string): string =>
  printData(form, Version, {
    version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    ...defined({
      commit: orUndefined(process.env['DEVTOOL_COMMIT']),
      date: orUndefined(process.env['DEVTOOL_DATE']),
      newest,
    }),
  })

/** Versions are only compared for equality: which of two is newer is not decided here. */
export const showNewest = (form: DataForm, version: string, newest: string): RenderedView => {
  if (form !== 'text') return { output: showVersion(form, version, newest) }
  return {
    output: `${version}\n${version === newest ? 'this is the newest version' : `the newest version is ${newest}`}\n`,
  }
}
