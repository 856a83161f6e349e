/** `build`: the references of the images, one per line, or as data. */
import type { DockerfileCheck } from '../../app/build/check-project.ts'
import { BuiltImages } from '../../domain/build/built.ts'
import { DiagnosticList } from '../../domain/diagnostic/list.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

/** An image that was only built has no reference. */
export const showBuilt = (form: DataForm, built: BuiltImages): RenderedView => {
  if (isData(form)) return { output: printData(form, BuiltImages, built) }
  return { output: built.images.flatMap(({ image }) => (image === undefined ? [] : [`${image}\n`])).join('') }
}

/** As data, findings are printed whether there are errors or not. */
export const showCheck = (form: DataForm, { findings }: DockerfileCheck): RenderedView =>
  isData(form) ? { isInOutput: () => true, output: printData(form, DiagnosticList, { diagnostics: findings }) } : {}
