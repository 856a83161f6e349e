/** Warns about large build contexts. The context is measured only when enough of it is sent to matter. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuildEvent } from '../../domain/build/event.ts'
import { heavyContext } from '../../domain/build/weight.ts'
import type { ImageLookup } from './lookup.ts'
import { placeIn } from './recipe.ts'
import type { BuildPorts, BuildRequest } from './request.ts'

/** A builder that has the context already requests little of it, however large it is. */
const muchBytes = 10_000_000

const isMuch = (event: BuildEvent): boolean =>
  event._tag === 'Sent' && event.served === 'context' && event.bytes >= muchBytes

type Weighing = {
  readonly take: (events: ReadonlyArray<BuildEvent>) => void
  /** Resolves when everything has been reported. */
  readonly ended: () => Promise<void>
}

/** Reports DT4041 while the context is still being sent. */
export const weighing = (
  { buildContexts, progress }: Pick<BuildPorts, 'buildContexts' | 'progress'>,
  { image, recipe }: ImageLookup,
  { place, signal }: BuildRequest,
): Weighing => {
  const weigh = async (): Promise<void> => {
    if (recipe === undefined) return
    const { at, value: folder } = image.context
    const about = { image: image.name, folder, at: placeIn(place, at), hasIgnore: recipe.ignore !== '' }
    const findings = pipe(
      buildContexts.weigh({ ...recipe, root: place.root }, signal),
      TE.match(
        () => [],
        (weight) => heavyContext(weight, about),
      ),
    )
    for (const diagnostic of await findings()) progress.tell({ _tag: 'Found', diagnostic })
  }
  let weighed: Promise<void> | undefined
  return {
    take: (events) => {
      if (weighed === undefined && events.some(isMuch)) weighed = weigh()
    },
    ended: async () => weighed,
  }
}
