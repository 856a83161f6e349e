/** The port `Platforms`. */
import type { Platforms } from '../../ports/platforms.ts'
import { browseWith, listenForBrowser } from './browser.ts'
import { certificateOf } from './certificate.ts'
import { type PlatformClientOptions, platformSend } from './client.ts'
import { platformFollow } from './follow.ts'

export const httpPlatforms = (
  options: PlatformClientOptions & { readonly env: Readonly<Record<string, string | undefined>> },
): Platforms => ({
  send: platformSend(options),
  follow: platformFollow(options),
  certificate: certificateOf(options),
  listen: listenForBrowser,
  browse: browseWith(options.env, options.clock),
})
