/** `pre_start`: steps that run one after the other before the container, each in a container of its own. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { optional, parse } from '../../shape/parse.ts'
import type { ValueOf } from '../../shape/shape.ts'
import { checkImage } from '../../text/image.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type { service } from '../fields/service.ts'
import type { PreStart } from '../model.ts'
import { readCommand } from './command.ts'
import type { ReadEnvFile } from './env-file.ts'
import { readEnvironment } from './environment.ts'
import { readPullPolicy } from './pull-policy.ts'
import { readPrivileged, readUser } from './security.ts'

type RawService = ValueOf<typeof service>['value']
type RawStep = NonNullable<RawService['pre_start']>['value'][number]

const readStep =
  (variables: Variables, readEnvFile: ReadEnvFile) =>
  ({ at, value }: RawStep): Checked<PreStart> => {
    const { env_file, environment, image, working_dir: workingDir } = value
    const parts = C.struct({
      command: optional(value.command, readCommand),
      entrypoint: optional(value.entrypoint, readCommand),
      image: optional(image, parse('DT1026', checkImage, 'write repository/name:tag')),
      user: optional(value.user, readUser),
      privileged: readPrivileged(value.privileged),
      pullPolicy: optional(value.pull_policy, readPullPolicy),
      environment: readEnvironment(defined({ env_file, environment }), variables, readEnvFile),
    })
    return C.map(
      ({ user, privileged, ...read }: C.ValueIn<typeof parts>): PreStart => ({
        at,
        security: { ...user, ...defined({ privileged }) },
        ...defined({ ...read, workingDir }),
        environment: read.environment ?? [],
      }),
    )(parts)
  }

/** DT1110 for steps that Compose would run once, and a cluster before each of several pods. */
const repeated = ({ deploy, pre_start: steps, scale }: RawService) => {
  const replicas = scale ?? deploy?.value.replicas
  if (replicas === undefined || replicas.value < 2) return []
  return (steps?.value ?? [])
    .filter(({ value }) => value.per_replica?.value !== true)
    .map(({ at, path, value }) =>
      warning('DT1110', `it runs before each of the ${replicas.value} replicas, not once`, {
        at: value.per_replica?.at ?? at,
        path,
        help: 'write per_replica: true, or use a service that others await with service_completed_successfully',
      }),
    )
}

/** Finds DT1007, DT1018, DT1026, DT1028; warns DT1104, DT1110. */
export const readPreStart = (
  raw: RawService,
  variables: Variables,
  readEnvFile: ReadEnvFile,
): Checked<ReadonlyArray<PreStart>> =>
  C.andThen((steps: ReadonlyArray<PreStart>) => C.note(steps, repeated(raw)))(
    C.each(readStep(variables, readEnvFile))(raw.pre_start?.value ?? []),
  )
