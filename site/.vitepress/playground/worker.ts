/** The translation, beside the thread of the page. It is a pure function: nothing in here sends anything. */
import { toYaml, translate } from '../../../dist/index.js'
import type { Answer, Files } from './messages.ts'

const answerTo = (files: Files): Answer => {
  const { diagnostics, plan } = translate({ files })
  if (plan === undefined) return { objects: 0, findings: diagnostics }
  const objects = plan.actions.filter(({ _tag }) => _tag === 'Apply').length
  return { yaml: toYaml(plan), objects, findings: diagnostics }
}

self.addEventListener('message', ({ data }: MessageEvent<Files>) => self.postMessage(answerTo(data)))
