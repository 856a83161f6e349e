/** Completion in the shells themselves, typed in a terminal: the name of a file only where devtool asks for one. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { completionScripts } from '../../src/cli/completion-scripts.ts'
import { openScreen } from '../support/process/screen.ts'

/** `settings`: a file in the home, read when it starts. `before`: what is there besides the script. */
type Shell = {
  readonly args: ReadonlyArray<string>
  readonly settings: string
  readonly before: (printed: string) => string
}

const stub = (printed: string): string =>
  `devtool() { if [ "$1" = __complete ]; then printf '${printed}'; else echo "ran <$*>"; fi; }`

const shells: Readonly<Record<'bash' | 'zsh' | 'fish', Shell>> = {
  bash: {
    args: ['--noprofile', '--rcfile', '../.bashrc', '-i'],
    settings: '.bashrc',
    before: (printed) => `PS1='ready> '\n${stub(printed)}\n`,
  },
  zsh: {
    args: ['-i'],
    settings: '.zshrc',
    before: (printed) => `PS1='ready> '\n${stub(printed)}\nautoload -U compinit\ncompinit -u -D\n`,
  },
  fish: {
    args: ['-i'],
    settings: '.config/fish/config.fish',
    before: (printed) => `function fish_prompt; echo -n 'ready> '; end
function devtool
    if test "$argv[1]" = __complete; printf '${printed}'; else; echo "ran <$argv>"; end
end
`,
  },
}

/** What is run after `devtool deploy `, a tabulator and a line end, in a folder with one file. */
const ranIn = async (name: keyof typeof shells, printed: string): Promise<string> => {
  const { args, before, settings } = shells[name]
  const home = mkdtempSync(join(tmpdir(), 'devtool-shell-'))
  const cwd = join(home, 'project')
  mkdirSync(join(home, settings, '..'), { recursive: true })
  mkdirSync(cwd)
  writeFileSync(join(home, settings), before(printed) + completionScripts[name])
  writeFileSync(join(cwd, 'compose.yaml'), '')
  const env = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', TERM: 'xterm' }
  const screen = openScreen(name, args, { columns: 80, rows: 24, cwd, env })
  try {
    await screen.until('ready> ')
    screen.type('devtool deploy \t\r')
    await screen.until('ran <')
    await screen.until('>\r\n')
    return /ran <([^>]*)>/.exec(screen.shown())?.[1]?.trim() ?? ''
  } finally {
    await screen.hangUp()
    rmSync(home, { recursive: true, force: true })
  }
}

/** The part of a suite that is used. */
type Suite = {
  (title: string, run: () => Promise<void>): void
  readonly skip: (title: string) => void
}

const tryIn = (test: Suite, name: keyof typeof shells): void => {
  const { skip: leaveOut } = test
  const title = `${name} completes a name of a file only where devtool asks it to`
  if (spawnSync(name, ['--version']).error !== undefined) leaveOut(`${title} (there is no ${name})`)
  else {
    test(title, async () => {
      assert.is(await ranIn(name, ':files\\n'), 'deploy compose.yaml')
      assert.is(await ranIn(name, 'web\\n'), 'deploy web')
      assert.is(await ranIn(name, ''), 'deploy')
    })
  }
}

const test = suite('completion in shells')

for (const name of ['bash', 'zsh', 'fish'] as const) tryIn(test, name)

test.run()
