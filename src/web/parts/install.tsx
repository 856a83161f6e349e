/** How to get the devtool command. */
import { installLine } from '../../domain/platform/releases.ts'
import { Command } from './basics.tsx'
import { useLooking } from './me.ts'

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
