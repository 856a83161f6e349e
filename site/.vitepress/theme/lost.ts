/** Addresses without a page. */
import type { Router } from 'vitepress'

export const handleLost = (router: Router): void => {
  if (typeof window === 'undefined') return
  let isFirst = true
  // The page 404 comes without content. VitePress would ask for a newer list of pages, which the policy forbids.
  const isPage = document.querySelector('#app')?.hasChildNodes() === true
  router.onBeforePageLoad = () => isPage || !isFirst
  // A page that was open while the site was published again only knows the names of older files.
  router.onAfterRouteChange = () => {
    if (!isFirst && router.route.data.isNotFound === true) location.reload()
    isFirst = false
  }
}
