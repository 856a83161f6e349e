/**
 * Every diagnostic code. A code never changes its meaning and is never reused: people search for them. `status` is the
 * exit status of a command whose first error has the code.
 */
import { buildCodes } from './codes-build.ts'
import { clusterCodes } from './codes-cluster.ts'
import { commandsCodes } from './codes-commands.ts'
import { contextCodes } from './codes-context.ts'
import { deployCodes } from './codes-deploy.ts'
import { destroyCodes } from './codes-destroy.ts'
import { devCodes } from './codes-dev.ts'
import { inputCodes } from './codes-input.ts'
import { installCodes } from './codes-install.ts'
import { manifestCodes } from './codes-manifest.ts'
import { platformCodes } from './codes-platform.ts'
import { runCodes } from './codes-runs.ts'
import { seeCodes } from './codes-see.ts'
import { syncCodes } from './codes-sync.ts'
import { upCodes } from './codes-up.ts'
import { noteCodes, warningCodes } from './codes-warnings.ts'
import { whyCodes } from './codes-why.ts'

const input = 3

const usage = {
  DT2001: {
    status: 2,
    title: 'usage',
    text: 'The command line has an unknown command, flag or value. `devtool help COMMAND` shows what a command takes.',
  },
  DT2002: {
    status: 2,
    title: 'guessed name',
    text: 'A golden file must not depend on the folder it was made in, so the environment needs an explicit name: --name, DEVTOOL_NAME, or name: in the Compose file.',
  },
  DT2003: {
    status: input,
    title: 'golden file missing',
    text: 'The golden file to compare with does not exist. --update writes it.',
  },
  DT2004: {
    status: 1,
    title: 'golden file differs',
    text: 'The manifests differ from the golden file. The diff names the Compose lines behind each change; --update accepts the new manifests.',
  },
  DT2005: { status: 2, title: 'no such service', text: 'A service named on the command line is not in the file.' },
  DT2006: { status: 1, title: 'cannot write', text: 'The output or a file could not be written.' },
  DT2007: {
    status: 7,
    title: 'not our file',
    text: 'Manifests are written into a folder only over files that devtool wrote there and that were not changed since, as listed in .devtool-files.json. Links are not followed. Nothing was written: move the named files away, or choose another folder.',
  },
  DT2008: {
    status: input,
    title: 'editor settings unreadable',
    text: '.vscode/settings.json must be an object of JSON, comments allowed, with an object under yaml.schemas if there is one. `devtool schema --install` changes only its own entries there, and nothing when it cannot read the rest.',
  },
  DT2009: {
    status: 2,
    title: 'no address of releases',
    text: 'devtool asks no address for new versions unless you name one: set DEVTOOL_RELEASE_URL to the address that your releases are published at.',
  },
  DT2010: {
    status: 8,
    title: 'releases not readable',
    text: 'The address in DEVTOOL_RELEASE_URL does not say which version is the newest: it is not reachable, or there is no latest.json as releases have it.',
  },
  DT9001: {
    status: 70,
    title: 'bug in devtool',
    text: 'Something happened that should be impossible, whatever the input. Please report it, with the input if you can share it.',
  },
} as const

export const codes = {
  ...inputCodes,
  ...manifestCodes,
  ...warningCodes,
  ...noteCodes,
  ...usage,
  ...contextCodes,
  ...clusterCodes,
  ...deployCodes,
  ...whyCodes,
  ...destroyCodes,
  ...seeCodes,
  ...commandsCodes,
  ...buildCodes,
  ...devCodes,
  ...upCodes,
  ...syncCodes,
  ...platformCodes,
  ...installCodes,
  ...runCodes,
} as const
export type Code = keyof typeof codes

export const isCode = (text: string): text is Code => Object.hasOwn(codes, text)
