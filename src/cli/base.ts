/** What every command shares: its findings on stderr, its status, and the last line of defence. */
import { Command, Option } from 'clipanion'
import type { Outcome } from '../app/output/outcome.ts'
import type { Checked } from '../domain/checked.ts'
import * as C from '../domain/checked.ts'
import { error } from '../domain/diagnostic/diagnostic.ts'
import type { Context } from './context.ts'
import { levels } from './flags.ts'
import { oneOf } from './options.ts'
import { show } from './show.ts'

/** A defect is ours: one line and where to say so; the stack only for those who look for it. */
const defect = (cause: unknown, level: string): Outcome => {
  const text = cause instanceof Error ? cause.message : String(cause)
  const stack = level === 'debug' && cause instanceof Error ? (cause.stack ?? text) : undefined
  return {
    findings: [
      error('DT9001', `this is a defect of devtool: ${stack ?? text}`, {
        help:
          stack === undefined
            ? 'please report it, with what --loglevel debug prints'
            : 'please report it, with the lines above and the files',
      }),
    ],
  }
}

export abstract class DevtoolCommand extends Command<Context> {
  loglevel = Option.String('--loglevel', 'warn', {
    description: 'how much is said on stderr: debug, info, warn or error; default warn',
  })

  /** Findings as one JSON object a line, in place of text. */
  isJson(): boolean {
    return false
  }

  isQuiet(): boolean {
    return false
  }

  /** What the command does. Heavy parts are imported inside, so that `--help` stays fast. */
  abstract useCase(): Promise<Outcome>

  /** Returns the status instead of throwing: clipanion prints what is thrown to stdout, and a handled `catch()` exits 0. */
  async execute(): Promise<number> {
    const level = oneOf('--loglevel', this.loglevel, levels)
    const outcome = C.hasErrors(C.findings(level))
      ? { findings: C.findings(level) }
      : await this.useCase().catch((cause: unknown) => defect(cause, this.loglevel))
    return show(this.context, outcome, { isJson: this.isJson(), isQuiet: this.isQuiet(), level: this.loglevel })
  }

  /** Runs `f` on options that are all right; else tells everything that is wrong with them. */
  protected async given<A>(options: Checked<A>, f: (options: A) => Promise<Outcome>): Promise<Outcome> {
    const findings = C.findings(options)
    return options._tag === 'Left' || C.hasErrors(findings) ? { findings } : f(options.right)
  }
}
