/** Links to the parts of a page, of which one is shown. */
import { useLayoutEffect, useRef } from 'preact/hooks'

type Tab = { readonly path: string; readonly title: string; readonly isCurrent: boolean }

export const Tabs = ({ label, tabs }: { label: string; tabs: ReadonlyArray<Tab> }) => {
  const current = useRef<HTMLAnchorElement>(null)
  // On a narrow screen they may not all be visible.
  useLayoutEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [])
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ isCurrent, path, title }) => (
        <a key={path} href={path} ref={isCurrent ? current : null} aria-current={isCurrent ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
