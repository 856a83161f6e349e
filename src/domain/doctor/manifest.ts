/**
 * A Compose file or manifest that can be shared. It is printed from the parsed values, so that it has only keys and
 * values: no comments, and no values that may be credentials.
 */
import * as C from '../checked.ts'
import type { Value } from '../print/value.ts'
import { printYamlStream } from '../print/yaml.ts'
import { isCredentialName } from '../text/credential.ts'
import { publicUrl } from '../text/public-url.ts'
import { source } from '../text/source.ts'
import { kindOf, type Node } from '../yaml/node.ts'
import { readYaml } from '../yaml/read.ts'
import { MASK, maskArguments, maskCommand, withoutQuery } from './redact.ts'

/** Members whose values must not be shared. */
const hidden =
  /^(?:environment|args|variables|content|dockerfile_inline|labels|annotations|options|driver_opts|runtime_flags|headers|httpHeaders|x-.*)$/
/** Members that are commands, if they are texts or lists. */
const commands = /^(?:command|commands|entrypoint|test|deploy|destroy)$/

const textsOf = (node: Node): ReadonlyArray<string> => {
  if (node._tag === 'Scalar') return [node.text]
  const inner = node._tag === 'Sequence' ? node.items : node.entries.map(({ value }) => value)
  return inner.flatMap(textsOf)
}

/** `NAME=value` keeps its name, and a mapping its keys. */
const maskedAll = (node: Node): Value => {
  if (node._tag === 'Sequence') return node.items.map(maskedAll)
  if (node._tag === 'Mapping') return new Map(node.entries.map(({ key, value }) => [key.text, maskedAll(value)]))
  if (kindOf(node) === 'null') return null
  const [, name] = /^([\w.-]+)=/.exec(node.text) ?? []
  return name === undefined ? MASK : `${name}=${MASK}`
}

/** Commands in a list that names them keep their names: `- name: migrate`. */
const maskedCommand = (node: Node, masked: typeof maskCommand): Value => {
  if (node._tag === 'Mapping') return shown(node)
  if (node._tag === 'Scalar') return kindOf(node) === 'null' ? null : masked([node.text]).join(' ')
  if (node.items.some(({ _tag }) => _tag !== 'Scalar')) return node.items.map((item) => maskedCommand(item, masked))
  return masked(node.items.flatMap(textsOf))
}

const shown = (node: Node): Value => {
  if (node._tag === 'Sequence') return node.items.map(shown)
  if (node._tag === 'Mapping') {
    const hasEntrypoint = node.entries.some(({ key }) => key.text === 'entrypoint')
    return new Map(
      node.entries.map(({ key: { text }, value }): readonly [string, Value] => {
        const isNamedSecret = value._tag === 'Scalar' && isCredentialName(text)
        if (hidden.test(text) || isNamedSecret) return [text, maskedAll(value)]
        if (text === 'path' && value._tag === 'Scalar') return [text, withoutQuery(value.text)]
        const masked = text === 'command' && hasEntrypoint ? maskArguments : maskCommand
        return [text, commands.test(text) ? maskedCommand(value, masked) : shown(value)]
      }),
    )
  }
  const kind = kindOf(node)
  if (kind === 'null') return null
  return kind === 'boolean' ? /^t/i.test(node.text) : publicUrl(node.text)
}

const documentsOf = (file: string, text: string): ReadonlyArray<Node> | undefined =>
  C.valueOf(readYaml(source(file, '.', text)))

/** `undefined` when it cannot be read, so its content is unknown. */
export const withoutVariables = (file: string, text: string): string | undefined => {
  const documents = documentsOf(file, text)
  return documents === undefined ? undefined : printYamlStream(documents.map(shown))
}

/** The values that {@link withoutVariables} removes, so that they can be masked wherever else they occur. */
export const variablesIn = (file: string, text: string): ReadonlyArray<string> => {
  const find = (node: Node): ReadonlyArray<string> => {
    if (node._tag === 'Scalar') return []
    if (node._tag === 'Sequence') return node.items.flatMap(find)
    return node.entries.flatMap(({ key, value }) =>
      /^(?:environment|args|variables|content)$/.test(key.text)
        ? textsOf(value).map((one) => one.replace(/^[\w.-]+=/, ''))
        : find(value),
    )
  }
  return (documentsOf(file, text) ?? []).flatMap(find)
}
