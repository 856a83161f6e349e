/**
 * Ends child processes when this process dies without ending them, as after SIGKILL. A shell in a session of its own
 * reads the list of children from a pipe, which is closed when this process dies for any reason.
 */
import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

/** Lines are `+ ID` and `- ID`; the id of a process group is negative. */
const script = `
trap '' INT TERM HUP
ids=' '
while read -r change id; do
  case $change in
    +) ids="$ids$id " ;;
    -) case $ids in *" $id "*) ids="\${ids%% $id *} \${ids#* $id }" ;; esac ;;
  esac
done
[ "$ids" = ' ' ] && exit
for id in $ids; do kill -TERM "$id"; done
sleep 2
for id in $ids; do kill -KILL "$id"; done
`

let pipe: Writable | undefined

const start = (): Writable => {
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.unref()
  // Without a shell there is no guard, and children are only ended by this process.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  return child.stdin
}

/** Guards a child, or with `Group` the process group that it leads. The returned function removes it from the list. */
export const guard = (
  { pid }: { readonly pid?: number | undefined },
  what: 'Process' | 'Group' = 'Process',
): (() => void) => {
  if (pid === undefined || process.platform === 'win32') return () => {}
  const id = what === 'Group' ? -pid : pid
  pipe ??= start()
  const shell = pipe
  shell.write(`+ ${id}\n`)
  let isListed = true
  return () => {
    if (isListed) shell.write(`- ${id}\n`)
    isListed = false
  }
}
