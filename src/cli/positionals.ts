/** What stands behind the flags of commands, in the words of their help: `<must>`, `[may]`. */

const positionals: Readonly<Record<string, string>> = {
  deploy: ' [service ...]',
  build: ' [service ...]',
  list: ' [environment]',
  logs: ' [serviceName]',
  doctor: ' [devName]',
  'context use': ' [name]',
  'context delete': ' <name>',
  'namespace use': ' <name>',
  explain: ' [code or field]',
  schema: ' [compose|manifest]',
  completion: ' bash|zsh|fish|powershell',
  help: ' [command]',
}

/** '' or, with a blank before it, ` [service ...]`. */
export const positionalsOf = (command: string): string =>
  Object.hasOwn(positionals, command) ? (positionals[command] ?? '') : ''

export const needsArgument = (command: string): boolean => positionalsOf(command).includes('<')
