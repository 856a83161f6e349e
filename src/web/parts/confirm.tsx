/** Asks before something that cannot be undone; for the most dangerous actions a word has to be typed. */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CallFailure } from '../api/client.ts'
import { Button, Failure, Field } from './basics.tsx'

type Props = {
  readonly title: string
  readonly children: ComponentChildren
  readonly verb: string
  /** The word to be typed. */
  readonly word?: string
  /** It can be undone. */
  readonly isHarmless?: boolean
  readonly isBusy: boolean
  readonly failure: CallFailure | undefined
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export const Confirm = ({
  children,
  failure,
  isBusy,
  isHarmless = false,
  onClose,
  onConfirm,
  title,
  verb,
  word,
}: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const id = useId()
  // Before the next key is pressed, which is meant for the dialog.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    if (word !== undefined) field.current?.focus()
    // The focus goes back to where it was.
    return () => current?.close()
  }, [])
  const isReady = word === undefined || typed === word
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isBusy) onConfirm()
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
        {word !== undefined && (
          <Field label={`Type ${word} to confirm`}>
            {(props) => (
              <input
                {...props}
                ref={field}
                value={typed}
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            )}
          </Field>
        )}
        <Failure failure={failure} />
        <div class="row end">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" kind={isHarmless ? 'primary' : 'danger'} disabled={!isReady} isBusy={isBusy}>
            {verb}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
