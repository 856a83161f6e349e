/** Syncthing 1.30 for the comparison: built from the Go module, with the settings of either end. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './command.ts'

const version = '1.30.0'

/** The program, built once, at a low priority. */
export const syncthingBinary = (): string => {
  const folder = join(root, 'node_modules/.cache', `syncthing-${version}`)
  const binary = process.env['SYNCTHING_BIN'] ?? join(folder, 'syncthing')
  if (existsSync(binary)) return binary
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'go.mod'), 'module bench\n')
  const options = { cwd: folder, stdio: 'inherit', env: { ...process.env, CGO_ENABLED: '0' } } as const
  const main = 'github.com/syncthing/syncthing/cmd/syncthing'
  execFileSync('nice', ['go', 'get', `${main}@v${version}`], options)
  execFileSync('nice', ['go', 'build', '-tags', 'noassets,noupgrade', '-ldflags', '-s -w', '-o', binary, main], options)
  return binary
}

/**
 * `tuned`: for latency. `okteto`: as in okteto's template. Syncthing 1.30 takes a delay below one second as none; if it
 * then loses count of what it has seen, as with many files in one folder, it asks again and again without a pause
 * (`actOnTimer` in lib/watchaggregator/aggregator.go), until it is restarted.
 */
const settings = {
  tuned: {
    attributes: 'fsWatcherDelayS="0.1" fsWatcherTimeoutS="0.6"',
    more: '<disableFsync>true</disableFsync><maxConflicts>10</maxConflicts><markerName>.stfolder</markerName><order>smallestFirst</order><pullerPauseS>2</pullerPauseS><minDiskFree unit="%">1</minDiskFree><copyRangeMethod>standard</copyRangeMethod>',
  },
  okteto: {
    attributes: 'fsWatcherDelayS="1"',
    more: '<disableFsync>false</disableFsync><maxConflicts>0</maxConflicts><markerName>.</markerName>',
  },
} as const
export type SyncthingSettings = keyof typeof settings

type Home = { readonly id: string; readonly files: Readonly<Record<string, string>> }

export const newHome = (binary: string, folder: string): Home => {
  execFileSync(binary, ['generate', '--home', folder, '--no-default-folder', '--skip-port-probing'], {
    stdio: 'ignore',
  })
  const id = /<device id="([A-Z0-9-]+)"/.exec(readFileSync(join(folder, 'config.xml'), 'utf8'))?.[1] ?? ''
  const files = ['cert.pem', 'key.pem'].map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
  return { id, files: Object.fromEntries(files) }
}

export const apiKey = 'bench'

type End = {
  readonly tree: string
  readonly ids: readonly [own: string, other: string]
  readonly gui: number
  /** Where it listens, or where the other one does. */
  readonly listen?: number
  readonly dial?: number
}

export const configOf = (kind: SyncthingSettings, { dial, gui, ids: [own, other], listen, tree }: End): string => {
  const { attributes, more } = settings[kind]
  const device = (id: string, address: string): string =>
    `<device id="${id}" name="end" compression="never"><address>${address}</address><numConnections>1</numConnections></device>`
  return `<configuration version="37">
<folder id="tree" path="${tree}" type="sendreceive" rescanIntervalS="300" fsWatcherEnabled="true" ${attributes} ignorePerms="false">
<device id="${own}"/><device id="${other}"/>${more}<scanProgressIntervalS>1</scanProgressIntervalS></folder>
${device(own, 'dynamic')}${device(other, dial === undefined ? 'dynamic' : `tcp://127.0.0.1:${dial}`)}
<gui enabled="true" tls="false"><address>127.0.0.1:${gui}</address><apikey>${apiKey}</apikey></gui>
<options><listenAddress>${listen === undefined ? 'tcp://127.0.0.1:0' : `tcp://127.0.0.1:${listen}`}</listenAddress>
<globalAnnounceEnabled>false</globalAnnounceEnabled><localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled>
<natEnabled>false</natEnabled><startBrowser>false</startBrowser><crashReportingEnabled>false</crashReportingEnabled><setLowPriority>false</setLowPriority>
<urAccepted>-1</urAccepted><autoUpgradeIntervalH>0</autoUpgradeIntervalH><stunKeepaliveStartS>0</stunKeepaliveStartS>
<announceLANAddresses>false</announceLANAddresses><sendFullIndexOnUpgrade>false</sendFullIndexOnUpgrade><keepTemporariesH>24</keepTemporariesH>
<reconnectionIntervalS>1</reconnectionIntervalS><progressUpdateIntervalS>1</progressUpdateIntervalS></options>
</configuration>
`
}

export const serveArguments = (home: string): ReadonlyArray<string> => [
  'serve',
  '--no-browser',
  '--no-restart',
  '--no-upgrade',
  '--home',
  home,
]
