import type { Answer, Files } from './messages.ts'

export type Translator = { readonly translate: (files: Files) => void; readonly end: () => void }

/** While one version is translated only the newest one waits: what was typed in between is never shown. */
export const startTranslator = (onAnswer: (answer: Answer) => void): Translator => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  let isBusy = false
  let waiting: Files | undefined
  const send = (files: Files): void => {
    isBusy = true
    worker.postMessage(files)
  }
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    isBusy = false
    const next = waiting
    waiting = undefined
    if (next !== undefined) send(next)
    onAnswer(data)
  })
  return {
    translate: (files) => {
      if (isBusy) waiting = files
      else send(files)
    },
    end: () => worker.terminate(),
  }
}
