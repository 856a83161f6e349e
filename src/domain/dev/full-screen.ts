/**
 * Whether a program uses the whole screen, judged by its output: a line printed by devtool would corrupt the display of
 * an editor or pager.
 */

/** `rest`: the beginning of an incomplete control sequence. */
export type FullScreen = { readonly isFull: boolean; readonly rest: string }

export const noFullScreen: FullScreen = { isFull: false, rest: '' }

const escape = '\u001B'
/** Private modes that are switched on (`h`) or off (`l`), and the reset of the terminal. */
// oxlint-disable-next-line no-control-regex -- it is what programs send to terminals
const switches = /\u001B(?:\[\?([0-9;]{1,30})([hl])|c)/g
// oxlint-disable-next-line no-control-regex -- as above
const unfinished = /\u001B(?:\[(?:\?[0-9;]{0,30})?)?$/
const alternateScreens: ReadonlyArray<string> = ['47', '1047', '1049']

/** `output`: one character per byte. */
export const afterOutput = ({ isFull, rest }: FullScreen, output: string): FullScreen => {
  if (rest === '' && !output.includes(escape)) return { isFull, rest }
  const text = rest + output
  let now = isFull
  for (const [, modes, way] of text.matchAll(switches)) {
    if (modes === undefined) now = false
    else if (modes.split(';').some((mode) => alternateScreens.includes(mode))) now = way === 'h'
  }
  return { isFull: now, rest: unfinished.exec(text)?.[0] ?? '' }
}
