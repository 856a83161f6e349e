/** The log of a run: follows it, searches it, and links to its lines. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { followLog } from '../api/follow.ts'
import { addLines, drawn, found, lineIn, missing, positionOf, type ShownLine } from '../model/log.ts'
import { spansOf } from '../model/sgr.ts'
import { plural } from '../model/summary.ts'
import { Button, Copy, Field } from './basics.tsx'

/** As in the style sheet. */
const ROW = 20

const Line = ({ at, isFound, isTarget, n, text }: ShownLine & { isFound: boolean; isTarget: boolean }) => (
  <div class={`line${isTarget ? ' target' : ''}${isFound ? ' found' : ''}`} title={at}>
    <a class="number" href={`#L${n}`} tabIndex={-1} aria-label={`Line ${n}`}>
      {n}
    </a>
    <span>
      {spansOf(text).map(({ style, text: part }, index) =>
        style === '' ? (
          part
        ) : (
          <span key={index} class={style}>
            {part}
          </span>
        ),
      )}
    </span>
  </div>
)

type Log = {
  readonly lines: ReadonlyArray<ShownLine>
  readonly dropped: number
  readonly isEnded: boolean
  readonly isLost: boolean
  readonly refusal: string
}

/** Lines that arrive between two frames are rendered together. */
const useLog = (namespace: string, run: string, onEnd: () => void): Log => {
  const lines = useRef<Array<ShownLine>>([])
  const dropped = useRef(0)
  const [, draw] = useState(0)
  const [isEnded, setEnded] = useState(false)
  const [isLost, setLost] = useState(false)
  const [refusal, setRefusal] = useState('')
  useEffect(() => {
    const left = new AbortController()
    let frame = 0
    const lineUp = (more: ReadonlyArray<ShownLine>): void => {
      dropped.current += addLines(lines.current, more)
      if (frame !== 0) return
      frame = requestAnimationFrame(() => {
        frame = 0
        draw((count) => count + 1)
      })
    }
    const ended = (): void => {
      setEnded(true)
      setLost(false)
      onEnd()
    }
    const refused = (why: string): void => {
      setRefusal(why)
      setLost(false)
    }
    void followLog({ namespace, run }, { lines: lineUp, ended, lost: setLost, refused }, left.signal)
    return () => {
      left.abort()
      cancelAnimationFrame(frame)
    }
  }, [namespace, run])
  return { lines: lines.current, dropped: dropped.current, isEnded, isLost, refusal }
}

export const LogView = ({ namespace, onEnd, run }: { namespace: string; run: string; onEnd: () => void }) => {
  const { dropped, isEnded, isLost, lines, refusal } = useLog(namespace, run, onEnd)
  const pane = useRef<HTMLDivElement>(null)
  const lastTop = useRef(0)
  const [view, setView] = useState({ top: 0, height: 600 })
  const [target, setTarget] = useState(() => lineIn(location.hash))
  const [isFollowing, setFollowing] = useState(target === undefined)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const matches = useMemo(() => found(lines, typed), [typed, lines.length, dropped])
  const isMatch = useMemo(() => new Set(matches), [matches])

  const look = (): void => {
    const { current } = pane
    if (current === null) return
    setView({ top: current.scrollTop, height: current.clientHeight })
  }
  const show = (position: number): void => {
    const { current } = pane
    if (current === null) return
    current.scrollTop = Math.max(0, position * ROW - current.clientHeight / 2)
    look()
  }
  const scrolled = (): void => {
    const { current } = pane
    if (current === null) return
    // New lines move the end away, which must not stop following: only scrolling back does.
    if (current.scrollTop < lastTop.current - 1) setFollowing(false)
    else if (current.scrollTop + current.clientHeight >= current.scrollHeight - ROW) setFollowing(true)
    lastTop.current = current.scrollTop
    look()
  }
  const go = (step: number): void => {
    if (matches.length === 0) return
    const next = (chosen + step + matches.length) % matches.length
    setChosen(next)
    setFollowing(false)
    show(matches[next] ?? 0)
  }

  useEffect(() => {
    const { current } = pane
    if (current !== null && isFollowing) current.scrollTop = current.scrollHeight
    look()
  }, [lines.length, dropped, isFollowing])
  // The line in the address may arrive later than the page.
  const isThere = target !== undefined && (lines.at(-1)?.n ?? 0) >= target
  useEffect(() => {
    if (isThere && target !== undefined) show(positionOf(lines, target))
  }, [isThere, target])
  useEffect(() => {
    const changed = (): void => {
      setTarget(lineIn(location.hash))
      setFollowing(false)
    }
    addEventListener('hashchange', changed)
    addEventListener('resize', look)
    return () => {
      removeEventListener('hashchange', changed)
      removeEventListener('resize', look)
    }
  }, [])

  const { gone, isTargetGone } = missing(lines, isEnded, target)
  const isSilent = lines.length === 0 && !isLost && refusal === ''
  const { from, to } = drawn({ ...view, count: lines.length, row: ROW })
  const told = typed === '' ? '' : matches.length === 0 ? 'Not found' : `${chosen + 1} of ${matches.length}`
  return (
    <>
      <form
        class="row tools"
        onSubmit={(event) => {
          event.preventDefault()
          go(1)
        }}
      >
        <Field label="Search the log" help={told === '' ? 'Enter goes to the next match.' : told}>
          {(props) => (
            <input
              {...props}
              type="search"
              value={typed}
              onInput={({ currentTarget: { value } }) => {
                setTyped(value)
                setChosen(0)
                const [first] = found(lines, value)
                if (first === undefined) return
                setFollowing(false)
                show(first)
              }}
            />
          )}
        </Field>
        {matches.length > 1 && <Button onClick={() => go(-1)}>Previous</Button>}
        {/* Without it, Enter does nothing in a form with two fields. */}
        {matches.length > 0 && <Button type="submit">Next</Button>}
        <Field label="Go to line" help="Or choose its number.">
          {(props) => (
            <input
              {...props}
              type="number"
              min={1}
              value={target ?? ''}
              onChange={({ currentTarget: { value } }) => {
                location.hash = value === '' ? '' : `#L${value}`
              }}
            />
          )}
        </Field>
        {target !== undefined && (
          <Copy label="link to the line" title="Copy link" text={`${location.origin}${location.pathname}#L${target}`} />
        )}
        {!isEnded && (
          <Button aria-pressed={isFollowing} onClick={() => setFollowing(!isFollowing)}>
            {isFollowing ? 'Following' : 'Follow'}
          </Button>
        )}
      </form>
      {refusal !== '' && (
        <p class="note bad" role="alert">
          {refusal}
        </p>
      )}
      <div>
        <p class="muted told" role="status">
          {isLost ? 'The connection is lost; trying again.' : ''}
          {gone > 0
            ? ` The first ${plural(gone, 'line')} of this log ${gone === 1 ? 'is' : 'are'} gone: only its end is kept.`
            : ''}
          {isTargetGone ? ` Line ${target} is not there.` : ''}
          {isSilent ? (isEnded ? 'The run has no log.' : 'No line has arrived yet.') : ''}
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
        <div class="log" ref={pane} onScroll={scrolled} role="region" aria-label="Log" tabIndex={0}>
          <div class="paper" style={{ height: `${lines.length * ROW}px` }}>
            <div class="lines" style={{ top: `${from * ROW}px` }}>
              {lines.slice(from, to).map((line, index) => (
                <Line key={line.n} {...line} isTarget={line.n === target} isFound={isMatch.has(from + index)} />
              ))}
            </div>
          </div>
        </div>
      </div>
    </>
  )
}
