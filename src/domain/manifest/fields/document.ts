/** The top level of a devtool.yml. Compose sections in it are read like those of a Compose file. */
import { type Fields, ignored, maps, object } from '../../shape/field.ts'
import { anything, entriesOf, listOf, text } from '../../shape/shape.ts'
import { build } from './build.ts'
import { dependencies, deploy, destroy } from './commands.ts'
import { dev, forward } from './dev.ts'
import { without } from './shapes.ts'

const endpoint = {
  name: maps(text, '`devtool endpoints`', 'name of the address; required'),
  url: maps(text, '`devtool endpoints`', 'the address; if absent, a command sets it through $DEVTOOL_ENV'),
} satisfies Fields

const externalFields = {
  endpoints: maps(listOf(object(endpoint)), '`devtool endpoints`', 'addresses; required'),
  icon: ignored(text, 'only the platform shows it', 'icon'),
  notes: maps(text, '`devtool endpoints`', 'Markdown file with notes'),
} satisfies Fields

export const external = entriesOf(object(externalFields))

/** Sections of Compose files. */
const inline = (about: string) => maps({ ...anything, name: 'see the Compose fields' }, 'as in a Compose file', about)

export const composeSections = {
  version: ignored(anything, 'Compose ignores it', 'obsolete'),
  services: inline('services of the application'),
  volumes: inline('named volumes'),
  networks: inline('networks'),
  configs: inline('configs'),
  secrets: inline('secrets'),
  models: ignored(anything, 'there is no model runner in the cluster', 'AI models'),
  include: inline('other Compose files'),
  endpoints: inline('public routes'),
} satisfies Fields

export const manifestFields = {
  name: maps(text, 'the environment name', 'name of the environment'),
  icon: ignored(text, 'only the platform shows it', 'icon of the environment'),
  build: maps(build, 'images that other sections use', 'images to build, by name'),
  deploy: maps(deploy, '`devtool deploy`', 'what to deploy'),
  dependencies: maps(dependencies, '`devtool deploy`', 'repositories to deploy first'),
  destroy: maps(destroy, '`devtool destroy`', 'commands to run before anything is deleted'),
  dev: maps(dev, '`devtool up`', 'development containers, by name'),
  external: maps(external, '`devtool endpoints`', 'external addresses that belong to the environment'),
  forward: maps(forward, '`devtool up`', 'ports that every development container forwards'),
  ...composeSections,
} satisfies Fields

export const manifestShape = without(
  {
    test: {
      message: 'is a section that devtool does not support',
      help: 'remove it, or rename it to begin with x-; run tests in a command of deploy or in your CI',
    },
  },
  object(manifestFields),
)
