/** How to get the devtool command. */

import { installLine } from '../../domain/platform/releases.ts'
import { pathOf } from '../../domain/platform/web-pages.ts'
import { Command } from './basics.tsx'
import { useLooking } from './me.ts'

/** Below a command that needs a terminal which has logged in. */
export const SetUp = () => (
  <p class="muted">
    For the first time in a terminal? <a href={pathOf('settings')}>Install devtool and log in</a>
  </p>
)

export const Install = () => {
  const { meta } = useLooking()
  return (
    <>
      {meta.releases === undefined ? (
        <p>Get devtool from the administrators of this platform, and put it into a folder of your PATH.</p>
      ) : (
        <>
          <p>Install devtool on Linux or macOS. The script says what to do if the command is not found afterwards.</p>
          <Command label="install command" text={installLine(meta.releases)} />
        </>
      )}
      <p>The platform works with version {meta.oldestClient} and later. Check which one you have:</p>
      <Command label="version command" text="devtool version" />
    </>
  )
}
