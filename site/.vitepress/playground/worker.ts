/** The translation, beside the thread of the page. It is a pure function: nothing in here sends anything. */
import { toYaml, translate } from '../../../dist/index.js'
import type { Answer, Files } from './messages.ts'

const answerTo = (files: Files): Answer => {
  const { diagnostics, objects, plan } = translate({ files })
  const yaml = plan === undefined ? {} : { yaml: toYaml(plan) }
  return { ...yaml, objects: objects.length, findings: diagnostics }
}

self.addEventListener('message', ({ data }: MessageEvent<Files>) => self.postMessage(answerTo(data)))
