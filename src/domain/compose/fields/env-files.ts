/** `env_file` of a service or a step. */
import { type Fields, maps, object } from '../../shape/field.ts'
import { byForm, flag, oneOrMore, text } from '../../shape/shape.ts'

const envFile = {
  path: maps(text, 'containers[].env', 'file with environment variables'),
  required: maps(flag, 'containers[].env', 'false: the file may be absent'),
  format: maps(text, 'containers[].env', 'raw: values are not interpreted'),
} satisfies Fields

export const envFiles = oneOrMore(byForm({ scalar: text, mapping: object(envFile) }))
