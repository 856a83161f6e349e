/** The flags of commands that are about a context, and about no project. */
import { Option } from 'clipanion'
import type { Reach } from '../app/context/target.ts'
import { DevtoolCommand } from './base.ts'

export abstract class PlaceCommand extends DevtoolCommand {
  contextName = Option.String('--context', { description: 'another context than the one in use' })
  kubeconfig = Option.String('--kubeconfig', { description: 'kubeconfig, in place of those of KUBECONFIG' })

  reach(): Reach {
    const { contextName, kubeconfig } = this
    return {
      ...(contextName === undefined ? {} : { context: contextName }),
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      isYes: false,
    }
  }
}
