/** The name of the environment that a folder stands for, without translating it: the rule is that of `deploy`. */
import * as E from 'fp-ts/lib/Either.js'
import * as C from '../../domain/checked.ts'
import { projectName } from '../../domain/compose/assemble.ts'
import type { Chosen } from '../../domain/compose/choose.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { dnsLabel } from '../../domain/text/dns-name.ts'
import { type Asking, type Store, settle } from './asking.ts'
import { givenName, legalName } from './environment-name.ts'
import { findManifest } from './manifest.ts'
import { choosing, requestOf, type Wanted, withMade } from './translation.ts'

/** `name` unless something in `findings` keeps it from being known. `folder`: the project's; without files, the current one. */
export type Named = {
  readonly name?: string
  readonly isGuessed: boolean
  readonly folder: string
  readonly chosen?: Chosen
  readonly findings: ReadonlyArray<Diagnostic>
}

const unnamed = (findings: ReadonlyArray<Diagnostic>): Pick<Named, 'findings' | 'isGuessed'> => ({
  isGuessed: false,
  findings: findings.map((d) => ({ help: 'the name of the environment may stand there; --name gives it, too', ...d })),
})

/** What the files and variables say. */
function* nameIn(wanted: Wanted, chosen: Chosen, store: Store): Asking<Omit<Named, 'folder' | 'chosen'>> {
  const request = yield* requestOf(wanted, chosen, store)
  const around = { ...request, registry: wanted.settings.registry }
  const found = yield* findManifest(request, store, around)
  const read = yield* settle(store, chosen.folder, (files) => projectName(found.request, found.view(files)))
  if (E.isLeft(read)) return unnamed([read.left])
  const { findings, isWritten, name } = read.right
  const isFromVariable = name !== undefined && !isWritten
  // What is wrong in a manifest hides the Compose files that it names, whose name counts when it has none itself.
  const doubts = [...findings, ...(isWritten ? [] : found.findings.filter(({ severity }) => severity === 'error'))]
  if (!isFromVariable && doubts.length > 0) return unnamed(doubts)
  if (name === undefined) return { name: dnsLabel(request.guess), isGuessed: true, findings: [] }
  const legal = legalName(undefined, { name, isWritten })
  const value = C.valueOf(legal)
  return { isGuessed: false, findings: C.findings(legal), ...(value === undefined ? {} : { name: value }) }
}

const noFiles: Chosen = { files: [], folder: '.', isGiven: false }

/** Whoever gives the name needs no file that can be read; without any file, the repository and the folder are left. */
export function* naming(wanted: Wanted, store: Store): Asking<Named> {
  const choice = yield* choosing(wanted, store)
  const chosen = E.isRight(choice) ? withMade(choice.right, store) : undefined
  const place = { folder: chosen?.folder ?? '.', ...(chosen === undefined ? {} : { chosen }) }
  const given = givenName(wanted)
  if (given === undefined) return { ...(yield* nameIn(wanted, chosen ?? noFiles, store)), ...place }
  const legal = legalName(given, { name: given.text, isWritten: false })
  const name = C.valueOf(legal)
  return { isGuessed: false, findings: C.findings(legal), ...place, ...(name === undefined ? {} : { name }) }
}
