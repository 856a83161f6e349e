import { Command, Option } from 'clipanion'
import { dataForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { DevtoolCommand } from '../base.ts'
import { usage } from '../mistake.ts'
import { oneOf } from '../options.ts'

export class AnalyticsCommand extends DevtoolCommand {
  static override paths = [['analytics']]

  static override usage = Command.Usage({
    category: 'Help',
    description: 'say, and decide, whether analytics are switched on',
    details: `
      Nothing leaves this machine unless whoever runs the platform has configured the address of a collector. DO_NOT_TRACK and CI switch analytics off, too.
    `,
    examples: [
      ['Is it on?', '$0 analytics'],
      ['Switch it off for good', '$0 analytics --disable'],
    ],
  })

  disable = Option.Boolean('--disable', false, { description: 'switch analytics off' })
  enable = Option.Boolean('--enable', false, { description: 'switch analytics on again' })
  output = Option.String('-o,--output', 'text', { description: 'text, json or yaml' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  private change(): Checked<'Enable' | 'Disable' | undefined> {
    if (this.enable && this.disable)
      return C.fail(usage('--enable and --disable exclude each other', 'use one of them'))
    return C.ok(this.enable ? 'Enable' : this.disable ? 'Disable' : undefined)
  }

  async useCase(): Promise<Outcome> {
    const options = C.struct({ output: oneOf('--output', this.output, dataForms), change: this.change() })
    return this.given(options, async ({ change, output = 'text' }) => {
      const { analytics } = await import('../../app/context/analytics.ts')
      const variables = (name: string): string | undefined => this.context.env[name]
      return analytics(await this.context.ports())({ output, variables, ...(change === undefined ? {} : { change }) })
    })
  }
}
