/** The common elements of all pages. */
import { type ComponentChildren, Fragment, type JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { CallFailure } from '../api/client.ts'
import type { Shown } from '../model/states.ts'
import { agoOf, proseOf } from '../model/summary.ts'

type Children = { readonly children: ComponentChildren }

/** The document has just been loaded, so the browser has set the focus. */
let isFirst = true

/** The heading gets the focus after a change of page, so that screen readers continue there. */
export const PageHead = ({
  actions,
  children,
  title,
}: Partial<Children> & { title: string; actions?: ComponentChildren }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · devtool`
  }, [title])
  useEffect(() => {
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  return (
    <div class="head">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
      {actions}
    </div>
  )
}

export const Card = ({
  about,
  actions,
  children,
  title,
}: Children & {
  title: string
  about?: ComponentChildren
  actions?: ComponentChildren
}) => {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {about !== undefined && <p class="muted">{about}</p>}
      {children}
    </section>
  )
}

/** Commands and names between backticks are shown as code. */
export const Prose = ({ text }: { text: string }) => (
  <>{proseOf(text).map(({ isCode, text: part }, at) => (isCode ? <code key={at}>{part}</code> : part))}</>
)

export const Badge = ({ text, tone }: Shown) => <span class={`badge ${tone}`}>{text}</span>

/** Renders again after some time, for what changes by itself. */
export const useTick = (ms: number): void => {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), ms)
    return () => clearInterval(timer)
  }, [ms])
}

const AGE_MS = 15_000

export const Age = ({ since }: { since: string }) => {
  useTick(AGE_MS)
  if (since === '') return <span>–</span>
  return (
    <time dateTime={since} title={new Date(since).toLocaleString()}>
      {agoOf(since, Date.now())}
    </time>
  )
}

export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={new Date(at).toLocaleString()}>
    {at.slice(0, 10)}
  </time>
)

/** `isWarning`: the previous content is still shown. */
export const Failure = ({ failure, isWarning = false }: { failure: CallFailure | undefined; isWarning?: boolean }) =>
  failure === undefined ? null : (
    <p class={isWarning ? 'note warn' : 'note bad'} role="alert">
      <strong>
        <Prose text={`${failure.title}.`} />
      </strong>{' '}
      <Prose text={failure.detail} />
    </p>
  )

/** Instead of a page of which nothing can be shown. */
export const FailedPage = ({ failure }: { failure: CallFailure }) => (
  <PageHead title={failure.title}>
    <p role="alert">
      <Prose text={failure.detail} />
    </p>
  </PageHead>
)

export const Note = ({ children }: Children) => (
  <p class="note good" role="status">
    {children}
  </p>
)

export const Button = ({
  isBusy = false,
  isSmall = false,
  kind = 'plain',
  ...rest
}: JSX.IntrinsicElements['button'] & {
  kind?: 'plain' | 'primary' | 'danger'
  isBusy?: boolean
  isSmall?: boolean
}) => (
  <button
    type="button"
    {...rest}
    class={`button ${kind}${isSmall ? ' small' : ''}`}
    aria-disabled={isBusy}
    aria-busy={isBusy}
  />
)

/** `fault`: why the input is not accepted, next to the field. */
export const Field = ({
  children,
  fault,
  help,
  label,
}: {
  label: string
  help?: ComponentChildren
  fault?: string | undefined
  children: (props: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ComponentChildren
}) => {
  const id = useId()
  const about = `${id}-about`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': fault !== undefined })}
      <p class={fault === undefined ? 'help' : 'help bad'} id={about}>
        {fault ?? help ?? ''}
      </p>
    </div>
  )
}

/** Finds rows by a part of their name. */
export const NameSearch = (search: {
  label: string
  help: string
  value: string | undefined
  onType: (text: string) => void
}) => (
  <Field label={search.label} help={search.help === '' ? '\u00a0' : search.help}>
    {(props) => (
      <input
        {...props}
        type="search"
        value={search.value}
        placeholder="Part of a name"
        onInput={({ currentTarget }) => search.onType(currentTarget.value)}
      />
    )}
  </Field>
)

const COPIED_MS = 2_000

type Copied = { readonly text: string; readonly label: string; readonly title: string; readonly refused?: () => void }

/** `refused`: when the browser refuses access to the clipboard. */
export const Copy = ({ label, refused, text, title, isSmall = false }: Copied & { isSmall?: boolean }) => {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), COPIED_MS)
    } catch {
      refused?.()
    }
  }
  return (
    <>
      <Button isSmall={isSmall} onClick={() => void copy()} aria-label={`Copy ${label}`}>
        {isCopied ? 'Copied' : title}
      </Button>
      <span class="hidden" role="status">
        {isCopied ? `${label} copied` : ''}
      </span>
    </>
  )
}

export const Command = ({ label, text }: { text: string; label: string }) => {
  const code = useRef<HTMLElement>(null)
  // With the text selected, it can be copied with a key.
  const select = (): void => {
    if (code.current !== null) getSelection()?.selectAllChildren(code.current)
  }
  return (
    <div class="command">
      {/* Lines end between words, not after the dashes of a flag. */}
      <code ref={code}>
        {text.split(' ').map((word, at) => (
          <Fragment key={at}>
            {at > 0 && ' '}
            <span>{word}</span>
          </Fragment>
        ))}
      </code>
      <Copy isSmall label={label} text={text} title="Copy" refused={select} />
    </div>
  )
}

/** Shown while loading; the space is kept so that nothing moves. */
export const Waiting = () => (
  <div class="waiting" aria-busy="true">
    <span class="muted">Loading…</span>
  </div>
)

export const Empty = ({ children, title }: Children & { title: string }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)
