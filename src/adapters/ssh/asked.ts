/**
 * Variables by which our own client asks the agent for more than SSH has. `argv`: a command as a JSON list, run without
 * a shell. `session`: a program that outlives its connection, by this id. `received`: bytes of its outputs that the
 * client has. `folder`: the working directory.
 */
export const asked = {
  argv: 'DEVTOOL_AGENT_ARGV',
  session: 'DEVTOOL_AGENT_SESSION',
  received: 'DEVTOOL_AGENT_RECEIVED',
  folder: 'DEVTOOL_AGENT_FOLDER',
} as const
