/** What a program prints, on this process's outputs. */
import type { LinkedProgram } from '../../ports/link.ts'

type Copying = {
  /** Gets what is passed on, or dropped since nobody reads it. */
  readonly note?: (chunk: Buffer) => void
  /** Nobody reads any more (`| head`). */
  readonly closed?: () => void
}

/** `ended` resolves at the end of the output, unless `stop` comes first. */
export const copyOutput = (
  from: LinkedProgram['stdout'],
  to: LinkedProgram['stdin'],
  { closed = () => {}, note = () => {} }: Copying,
): { readonly ended: Promise<void>; readonly stop: () => void } => {
  let isRead = true
  const goOn = (): void => void from.resume()
  const take = (chunk: Buffer): void => {
    const isTaken = !isRead || to.write(chunk)
    note(chunk)
    if (isTaken) return
    from.pause()
    to.once('drain', goOn)
  }
  const letGo = (): void => {
    to.off('error', leave).off('drain', goOn)
    from.resume()
  }
  const leave = (): void => {
    isRead = false
    letGo()
    closed()
  }
  const stop = (): void => {
    from.off('data', take)
    letGo()
  }
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close']) from.once(event, () => resolve())
  })
  void ended.then(stop)
  from.on('data', take)
  if (to.writable) to.on('error', leave)
  else leave()
  return { ended, stop }
}
