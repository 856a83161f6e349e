/** Reports the progress of one image's build, and collects what is reported at its end. */
import type { BuildEvent, SourcePart } from '../../domain/build/event.ts'
import type { BuildFailure } from '../../domain/build/failure.ts'
import { cacheFindings, lintFindings } from '../../domain/build/findings.ts'
import { buildEnded, buildProgress, buildTold, failedVertex, missingCaches } from '../../domain/build/progress.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { buildStep, type StepState } from '../../domain/progress/event.ts'
import type { Place } from '../../domain/text/source.ts'
import type { Ports } from '../../ports/ports.ts'

/** A Dockerfile under the name that users know it by. */
export type KnownDockerfile = { readonly file: string; readonly text: string }

export type Telling = {
  readonly state: (state: StepState, detail: string) => void
  readonly take: (events: ReadonlyArray<BuildEvent>) => void
  readonly end: (state: 'Done' | 'Failed', detail: string) => void
  /** The step that failed and the end of its output. */
  readonly failed: (failure: BuildFailure) => ReturnType<typeof failedVertex>
  /** Warnings of the builder, and caches that it did not find. */
  readonly advice: () => ReadonlyArray<Diagnostic>
  /** Files that the builder read. */
  readonly parts: () => ReadonlyArray<SourcePart>
}

/** `secrets` are masked in the output of steps. */
export const telling = (
  { clock, progress }: Pick<Ports, 'clock' | 'progress'>,
  { at, name }: { readonly name: string; readonly at: Place | undefined },
  dockerfile: KnownDockerfile | undefined,
  secrets: ReadonlyArray<string>,
): Telling => {
  let run = buildProgress(name, secrets)
  const about = { image: name, at, dockerfile }
  const advice: Array<Diagnostic> = []
  const parts: Array<SourcePart> = []
  const step = { _tag: 'Step', id: buildStep(name), title: name } as const
  const note = (event: BuildEvent): void => {
    if (event._tag !== 'Lint') return
    for (const diagnostic of lintFindings([event], about)) {
      progress.tell({ _tag: 'Lint', image: name, diagnostic, atMs: clock.now() })
      advice.push(diagnostic)
    }
    if (event.source !== undefined) parts.push(event.source)
  }
  return {
    state: (state, detail) => progress.tell({ ...step, state, detail, atMs: clock.now() }),
    take: (events) => {
      const next = buildTold(run, events, clock.now())
      run = next.run
      next.told.forEach(progress.tell)
      events.forEach(note)
    },
    end: (state, detail) => buildEnded(run, { state, detail }, clock.now()).forEach(progress.tell),
    failed: (failure) => failedVertex(run, failure._tag === 'Failed' ? failure.vertex : undefined),
    advice: () => [...advice, ...cacheFindings(missingCaches(run), about)],
    parts: () => parts,
  }
}
