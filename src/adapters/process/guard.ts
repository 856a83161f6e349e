/**
 * Ends children when this process is gone without having ended them, as after SIGKILL. A shell in a session of its own
 * reads which children there are from a pipe. The pipe is closed when this process is gone, however it went.
 */
import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

/** Lines are `+ ID` and `- ID`, where the id of a process group is negative. */
const script = `
trap '' INT TERM HUP
ids=' '
while read -r change id; do
  case $change in
    +) ids="$ids$id " ;;
    -) ids="\${ids%% $id *} \${ids#* $id }" ;;
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
  // Without a shell there is no guard, and children are ended as far as this process can.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  return child.stdin
}

/** `id` of a process, or of a group when it is negative. The returned function tells that it is no longer to be ended. */
export const guard = (id: number): (() => void) => {
  if (process.platform === 'win32') return () => {}
  pipe ??= start()
  const shell = pipe
  shell.write(`+ ${id}\n`)
  return () => void shell.write(`- ${id}\n`)
}
