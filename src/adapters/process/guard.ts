/**
 * Ends child processes when this process died without ending them, as after SIGKILL. A shell in a session of its own
 * reads from a pipe which children there are. The pipe is closed when this process dies, for whatever reason.
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
  // Without a shell there is no guard, and children are ended as well as this process can.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  return child.stdin
}

/** A child, or with `Group` all of its process group, which it leads. The returned function removes it from the list. */
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
