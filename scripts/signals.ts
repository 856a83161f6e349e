/** Finds where a source listens to signals. */
import { Visitor } from 'oxc-parser'
import type { Source } from './imports.ts'

/** The only file of the command that handles signals, so that everything agrees on what Ctrl-C does. */
export const signalFile = 'src/cli/interruption.ts'

const listening = new Set(['on', 'once', 'addListener', 'prependListener'])
const others = new Set<unknown>(['exit', 'beforeExit'])

/**
 * Offsets of `process.on('SIGINT', ...)` and the like; a listener to an event whose name is not a literal counts, too.
 */
export const strayListeners = ({ file, program }: Source): ReadonlyArray<number> => {
  const found: Array<number> = []
  // The agent and the server are programs of their own.
  const isOther = /^src\/(?:agent|server)\//.test(file)
  if (!file.startsWith('src/') || isOther || file === signalFile) return found
  new Visitor({
    CallExpression: ({ arguments: [event], callee, start }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const isProcess = callee.object.type === 'Identifier' && callee.object.name === 'process'
      const isHarmless = event?.type === 'Literal' && others.has(event.value)
      if (isProcess && listening.has(callee.property.name) && !isHarmless) found.push(start)
    },
  }).visit(program)
  return found
}
