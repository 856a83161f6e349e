/** Upgrades a platform to this version, with the settings of its installation. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { readInstallation } from '../../domain/platform/manifests/read-installation.ts'
import { failed, type Result } from '../result.ts'
import { findInstalled } from './found.ts'
import { type Installed, install } from './install.ts'
import type { InstallPorts, InstallRequest } from './request.ts'

/** DT6306 when there is none. */
export const upgrade =
  (ports: InstallPorts) =>
  (request: Omit<InstallRequest, 'installation'>): Promise<Result<Installed>> =>
    pipe(
      findInstalled(request.target.cluster, request.signal),
      TE.matchE(
        (found) => T.of<Result<Installed>>(failed(found)),
        (objects) => () => install(ports)({ ...request, installation: readInstallation(objects) }),
      ),
    )()
