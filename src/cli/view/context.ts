/** `context` and its subcommands. */
import type { ContextUsed } from '../../app/context/contexts.ts'
import type { ContextDeleted } from '../../app/context/delete-context.ts'
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

export const showOverriding = (variables: ReadonlyArray<string>): ReadonlyArray<string> =>
  variables.map((name) => `${name} is set and takes precedence`)

export const showContextUsed = ({ host, name, namespace, overriding }: ContextUsed): RenderedView => ({
  said: [`using ${name}: namespace ${namespace} at ${host}`, ...showOverriding(overriding)],
})

export const showContextDeleted = ({ isInKubeconfig, name }: ContextDeleted): RenderedView => ({
  said: [`deleted the stored settings of ${name}${isInKubeconfig ? '; the kubeconfig still has it' : ''}`],
})
