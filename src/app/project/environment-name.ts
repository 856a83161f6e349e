/** An environment name given by a flag or a variable. It is checked here, since the mistake is not in a file. */
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { AssembledProject } from '../../domain/compose/assemble.ts'
import { type Diagnostic, error, warning } from '../../domain/diagnostic/diagnostic.ts'
import { dnsLabel, isDnsLabel } from '../../domain/text/dns-name.ts'
import { get } from '../../domain/yaml/node.ts'

/** `from`: the flag or variable. */
type GivenName = { readonly text: string; readonly from: string }

type Givers = {
  readonly name?: string | undefined
  readonly given: ReadonlyMap<string, string>
  readonly shell: ReadonlyMap<string, string>
}

/** An empty variable counts as unset; an empty flag does not. */
export const givenName = ({ name, given, shell }: Givers): GivenName | undefined => {
  if (name !== undefined) return { text: name, from: '--name' }
  const text = given.get('DEVTOOL_NAME') || shell.get('DEVTOOL_NAME') || undefined
  return text === undefined ? undefined : { text, from: 'DEVTOOL_NAME' }
}

/** No other source gives a name: neither a flag nor DEVTOOL_NAME nor a file, and it is not a guess. */
const isFromCompose = ({ isGuessed, name, root }: AssembledProject): boolean => {
  const written = get(root, 'name')
  return !isGuessed && !(written?._tag === 'Scalar' && written.text === name)
}

const RULE = 'use lower-case letters, digits and -, beginning with a letter, at most 63'

const refused = ({ from, text }: GivenName) =>
  error('DT2001', `${from}: "${text}" is not a valid environment name`, {
    help: /[a-z0-9]/i.test(text) ? `${RULE}, for example ${dnsLabel(text)}` : RULE,
  })

/** A name valid only for Compose: changed with a warning when it comes from a variable that other tools use as well. */
const isComposeName = (text: string): boolean => /^[a-z0-9][a-z0-9_-]*$/.test(text)

const PROJECT_VARIABLE = 'COMPOSE_PROJECT_NAME'

const changed = (text: string): Diagnostic =>
  warning('DT1103', `${PROJECT_VARIABLE}: "${text}" is not a DNS label, so the environment is named ${dnsLabel(text)}`)

/**
 * Replaces the name of the project by a valid one. Finds DT2001; a name that is valid only for Compose is changed with
 * DT1103 when it comes from COMPOSE_PROJECT_NAME, which other tools use as well. Names from files and guesses are
 * handled elsewhere.
 */
export const withLegalName = (given: GivenName | undefined, project: AssembledProject): Checked<AssembledProject> => {
  const { name } = project
  if (isDnsLabel(name)) return C.ok(project)
  const legal = { ...project, name: dnsLabel(name) }
  if (given !== undefined) return C.note(legal, [refused(given)])
  if (!isFromCompose(project)) return C.ok(project)
  if (!isComposeName(name)) return C.note(legal, [refused({ text: name, from: PROJECT_VARIABLE })])
  return C.note(legal, [changed(name)])
}

/** The name of an environment whose files are not read any further. Finds DT1031 (from a file), DT1103 and DT2001. */
export const legalName = (
  given: GivenName | undefined,
  { isWritten, name }: { readonly name: string; readonly isWritten: boolean },
): Checked<string> => {
  if (isDnsLabel(name)) return C.ok(name)
  if (given !== undefined) return C.fail(refused(given))
  if (isComposeName(name)) return isWritten ? C.ok(dnsLabel(name)) : C.note(dnsLabel(name), [changed(name)])
  const from = PROJECT_VARIABLE
  return C.fail(
    isWritten
      ? error('DT1031', `"${name}" is not a valid environment name`, { help: RULE })
      : refused({ text: name, from }),
  )
}
