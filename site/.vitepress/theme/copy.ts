/**
 * Of a session of a shell, what is typed, without the prompts and what was answered. Without comments in any case: zsh,
 * the shell of macOS, takes them for arguments.
 */
const typed = (text: string, isSession: boolean): string =>
  text
    .split('\n')
    .flatMap((line) => (!isSession ? [line] : line.startsWith('$ ') ? [line.slice(2)] : []))
    .map((line) => line.replace(/\s+# .*/, ''))
    .join('\n')

const buttons = ['shellsession', 'sh'].map((language) => `.language-${language} > button.copy`).join(', ')

export const copyCommandsOnly = (): void => {
  if (typeof window === 'undefined') return
  window.addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element ? event.target.closest(buttons) : null
      const block = button?.parentElement
      const text = block?.querySelector('pre')?.textContent
      if (button === null || block === null || block === undefined || typeof text !== 'string') return
      event.stopImmediatePropagation()
      const isSession = block.classList.contains('language-shellsession')
      void navigator.clipboard.writeText(typed(text, isSession)).then(() => {
        button.classList.add('copied')
        setTimeout(() => button.classList.remove('copied'), 2_000)
      })
    },
    { capture: true },
  )
}
