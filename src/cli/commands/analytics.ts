import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { defined } from '../../domain/object/defined.ts'
import { checked, command } from '../command.ts'
import { flag } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { usage } from '../flags/usage.ts'
import { viewed } from '../view/view.ts'

type Switches = { readonly enable: boolean; readonly disable: boolean }

const changeOf = ({ disable, enable }: Switches): Checked<'Enable' | 'Disable' | undefined> => {
  if (enable && disable) return C.fail(usage('--enable and --disable exclude each other', 'use one of them'))
  return C.ok(enable ? 'Enable' : disable ? 'Disable' : undefined)
}

export const analytics = command({
  name: 'analytics',
  group: 'Help',
  about: 'show whether analytics are enabled, and change it',
  details: `
    Nothing leaves this machine unless an operator of the platform has configured the address of a collector. DO_NOT_TRACK and CI also disable analytics.
  `,
  examples: [
    ['Are analytics enabled?', '$0 analytics'],
    ['Disable them permanently', '$0 analytics --disable'],
  ],
  isSilent: true,
  words: {},
  flags: {
    disable: flag('--disable', 'disable analytics'),
    enable: flag('--enable', 'enable analytics'),
    output: output(dataForms, 'text'),
  },
  run: (given, { env, ports }) =>
    checked(changeOf(given), async (change) => {
      const { analytics: decide } = await import('../../app/context/analytics.ts')
      const variables = (name: string): string | undefined => env[name]
      const { showAnalytics } = await import('../view/analytics.ts')
      const decided = await decide(await ports())({ variables, ...defined({ change }) })
      return viewed(decided, (setting) => showAnalytics(given.output, setting))
    }),
})
