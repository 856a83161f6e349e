/** Limits what the translation copies: a few lines can expand to millions of values, so they are counted first. */
import type { Diagnostic } from '../../diagnostic/diagnostic.ts'
import type { Written } from '../../text/written.ts'
import { type Budget, spend, textSize } from '../../yaml/budget.ts'
import type { ComposeService } from '../model.ts'

/** In the manifests each copied value has its place beside it. */
const valuesOfCopy = 2

const sum = <A>(list: ReadonlyArray<A>, sizeOf: (item: A) => number): number =>
  list.reduce((total, item) => total + sizeOf(item), 0)

const sizeOfWords = (words: Written<ReadonlyArray<string>> | undefined): number => sum(words?.value ?? [], textSize)

/**
 * `pre_start` containers repeat the service's variables, words, mounts and capabilities; Services and Ingresses repeat
 * its annotations and ports.
 */
const copiedValues = (service: ComposeService): number => {
  const { annotations, command, entrypoint, environment, mounts, network, ports, preStart, security } = service
  const capabilities = (security.capAdd?.value.length ?? 0) + (security.capDrop?.value.length ?? 0)
  const container =
    sum(environment, ({ name, value }) => textSize(name) + textSize(value)) +
    sum(mounts, ({ target }) => textSize(target)) +
    sizeOfWords(command) +
    sizeOfWords(entrypoint)
  const names = network.aliases.length
  const hosts = ports.filter(({ isPublic }) => isPublic).length
  const marks = sum(annotations, ({ name, value }) => textSize(name) + textSize(value))
  return (
    preStart.length * container +
    (preStart.length + mounts.length) * capabilities +
    (names + hosts) * marks +
    names * ports.length
  )
}

/** DT1006 at the service whose copies exceed the budget. */
export const tooManyCopies = (services: ReadonlyArray<ComposeService>, budget: Budget): ReadonlyArray<Diagnostic> =>
  services.flatMap((service) => {
    const fault = spend(budget, copiedValues(service) * valuesOfCopy, service.at)
    return fault === undefined ? [] : [fault]
  })
