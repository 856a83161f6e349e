/** Images that the manifest builds and `dev` sections use: their references are known once they are built. */

import type { DevBase, DevContainer } from '../manifest/dev-model.ts'
import { defined, ifDefined } from '../object/defined.ts'

const variable = /\$\{(DEVTOOL_BUILD_[A-Za-z0-9_]+)\}/g

type Replace = (text: string) => string

const inBase =
  (replace: Replace) =>
  <D extends DevBase>(dev: D): D => {
    const environment = dev.environment.map(({ value, ...named }) => ({
      ...named,
      ...defined({ value: ifDefined(value, replace) }),
    }))
    const image = ifDefined(dev.image, (written) => ({ ...written, value: replace(written.value) }))
    return { ...dev, environment, ...defined({ image }) }
  }

const inDev =
  (replace: Replace) =>
  (dev: DevContainer): DevContainer => {
    const { initContainer, services } = dev
    const image = ifDefined(initContainer.image, (written) => ({ ...written, value: replace(written.value) }))
    return {
      ...inBase(replace)(dev),
      initContainer: { ...initContainer, ...defined({ image }) },
      services: services.map(inBase(replace)),
    }
  }

export const namesBuiltImages = (dev: DevContainer): boolean => {
  let isNamed = false
  inDev((text) => {
    isNamed ||= text.includes('${DEVTOOL_BUILD_')
    return text
  })(dev)
  return isNamed
}

/** `variables`: those of the built images. */
export const withBuiltImages = (variables: ReadonlyMap<string, string>): ((dev: DevContainer) => DevContainer) =>
  inDev((text) => text.replace(variable, (whole, name: string) => variables.get(name) ?? whole))
