/** All ports. A use case takes the ones it needs. */
import type { AgentFiles } from './agent-files.ts'
import type { Background } from './background.ts'
import type { BuildContexts } from './build-contexts.ts'
import type { Builders } from './builder.ts'
import type { LazyCertificates } from './certificates.ts'
import type { Clock } from './clock.ts'
import type { Clusters } from './clusters.ts'
import type { Commands } from './commands.ts'
import type { Console } from './console.ts'
import type { FileReader, FileWriter } from './files.ts'
import type { Folders } from './folders.ts'
import type { Git } from './git.ts'
import type { Home } from './home.ts'
import type { KeptFiles } from './kept-files.ts'
import type { Links } from './link.ts'
import type { Machine } from './machine.ts'
import type { Network } from './network.ts'
import type { PlainFolders } from './plain-folders.ts'
import type { Platforms } from './platforms.ts'
import type { Processes } from './processes.ts'
import type { Progress } from './progress.ts'
import type { Prompt } from './prompt.ts'
import type { Random } from './random.ts'
import type { Registry } from './registry.ts'
import type { SharedConsoles } from './shared-consoles.ts'
import type { SyncedFolders } from './synced-folders.ts'
import type { ThisProcess } from './this-process.ts'

export type Ports = {
  readonly files: FileReader
  readonly writer: FileWriter
  readonly folders: Folders
  readonly plainFolders: PlainFolders
  readonly clusters: Clusters
  readonly platforms: Platforms
  readonly builders: Builders
  readonly buildContexts: BuildContexts
  readonly registry: Registry
  readonly commands: Commands
  readonly processes: Processes
  readonly git: Git
  readonly home: Home
  readonly clock: Clock
  readonly machine: Machine
  readonly random: Random
  readonly certificates: LazyCertificates
  readonly network: Network
  readonly prompt: Prompt
  readonly progress: Progress
  readonly agent: AgentFiles
  readonly thisProcess: ThisProcess
  readonly links: Links
  readonly keptFiles: KeptFiles
  readonly syncedFolders: SyncedFolders
  readonly console: Console
  readonly background: Background
  readonly sharedConsoles: SharedConsoles
}
