/** `version` as data. */
import * as t from 'io-ts'
import { document } from '../../domain/print/document.ts'
import { printData } from './data.ts'

export const Version = document('version', 'The installed version.', { version: [t.string, 'the version'] })

export const showVersion = (form: 'json' | 'yaml', version: string): string => printData(form, Version, { version })
