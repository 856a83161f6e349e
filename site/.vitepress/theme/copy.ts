/** Of a session of a shell, its button copies what is typed, without the prompts and what was answered. */
const typed = (session: string): string =>
  session
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .map((line) => line.slice(2).replace(/\s+#.*/, ''))
    .join('\n')

export const copyCommandsOnly = (): void => {
  if (typeof window === 'undefined') return
  window.addEventListener(
    'click',
    (event) => {
      const button =
        event.target instanceof Element ? event.target.closest('.language-shellsession > button.copy') : null
      const session = button?.parentElement?.querySelector('pre')?.textContent
      if (button === null || session === null || session === undefined) return
      event.stopImmediatePropagation()
      void navigator.clipboard.writeText(typed(session)).then(() => {
        button.classList.add('copied')
        setTimeout(() => button.classList.remove('copied'), 2_000)
      })
    },
    { capture: true },
  )
}
