import { command } from '../command.ts'
import { contextFlags } from '../flags/cluster.ts'
import { may } from '../flags/flag.ts'
import { inPlatform } from '../platform-target.ts'
import { viewed } from '../view/view.ts'

export const platformBackup = command({
  name: 'platform backup',
  group: 'Platform',
  about: 'write what the platform keeps about its users and their namespaces to a file',
  details: `
    The backup is YAML: accounts of users, hashes of API tokens, namespaces with their members, limits and variables, and the variables for all namespaces. It is written to FILE, which only you can read, or to standard output. The same platform gives the same text. What runs in the namespaces is not in it, nor sessions in browsers, nor what \`platform install\` creates.

    Keep it as you keep a key: it holds the values of variables, and whoever changes it decides who administers the platform that it is restored to.
  `,
  examples: [
    ['Write it to a file', '$0 platform backup platform.yaml'],
    ['Encrypt it on the way', '$0 platform backup | age -r RECIPIENT > platform.yaml.age'],
  ],
  words: { file: may('file', { offers: 'files' }) },
  flags: contextFlags,
  run: (given, call) =>
    inPlatform(call, given, 'Read', async ({ ports, signal, target }) => {
      const { backup } = await import('../../app/install/backup.ts')
      const { showBackup } = await import('../view/platform.ts')
      return viewed(await backup(ports)({ target, file: given.file, signal }), showBackup)
    }),
})
