/** The address of the page: links change it without loading the document again. */
import { useEffect, useState } from 'preact/hooks'

const CHANGED = 'devtool:address'

export const navigate = (path: string, { isReplacing = false } = {}): void => {
  if (isReplacing) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  dispatchEvent(new Event(CHANGED))
}

type PageAddress = { readonly path: string; readonly query: URLSearchParams }

const current = (): PageAddress => ({ path: location.pathname, query: new URLSearchParams(location.search) })

export const useAddress = (): PageAddress => {
  const [address, setAddress] = useState(current)
  useEffect(() => {
    const changed = (): void => setAddress(current())
    addEventListener('popstate', changed)
    addEventListener(CHANGED, changed)
    return () => {
      removeEventListener('popstate', changed)
      removeEventListener(CHANGED, changed)
    }
  }, [])
  return address
}

/**
 * Handles links to other pages of the platform; clicks with a modifier key or another button are left to the browser.
 */
export const followLinks = (event: MouseEvent): void => {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.target !== '' || link.origin !== location.origin || link.hasAttribute('download')) return
  if (link.pathname === '/login' || link.hash !== '') return
  event.preventDefault()
  if (link.href !== location.href) navigate(link.pathname + link.search)
}
