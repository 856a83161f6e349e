/**
 * Variables by which our own client asks the agent for more than SSH has. `argv`: a command as a JSON list, run without
 * a shell. `session`: a terminal that outlives its connection, by this id; with `received`, the bytes of its output that
 * the client has, the client comes back to it. `folder`: the working directory.
 */
export const asked = {
  argv: 'DEVTOOL_AGENT_ARGV',
  session: 'DEVTOOL_AGENT_SESSION',
  received: 'DEVTOOL_AGENT_RECEIVED',
  folder: 'DEVTOOL_AGENT_FOLDER',
} as const

/**
 * The first line on the standard error of such a terminal, which has no errors of its own: where its output goes on, how
 * much input it has taken, or why there is no such program.
 */
export type Resumption = { readonly from: number; readonly taken: number } | { readonly refused: string }
