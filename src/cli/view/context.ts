/** `context list` and `context show`. */
import { ContextList, ContextRecord } from '../../domain/context/record.ts'
import { printTable } from '../../domain/print/table.ts'
import type { ListForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

export const showContexts = (form: ListForm, list: ContextList): RenderedView => {
  const { contexts } = list
  if (isData(form)) return { output: printData(form, ContextList, list) }
  if (form === 'name') return { output: contexts.map(({ name }) => `${name}\n`).join('') }
  const cells = contexts.map(({ builder, isCurrent, name, namespace, registry }) => [
    isCurrent ? `${name} *` : name,
    namespace,
    builder,
    registry,
  ])
  return { output: printTable(['Name', 'Namespace', 'Builder', 'Registry'], cells) }
}

export const showContext = (form: 'json' | 'yaml', context: ContextRecord): RenderedView => ({
  output: printData(form, ContextRecord, context),
})
