/**
 * The newest notices, over the page: they do not move anything, and disappear automatically unless the user
 * is reading them. The account panel has all of them.
 */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { TEXTS } from '../../shared/texts/texts.ts'
import type { Notice, NoticeLog } from '../state/notice-log.ts'
import type { TradingState } from '../state/trading-state.ts'
import { useMedia } from './media.ts'
import { usePaced } from './paced.ts'

/** Interval at which notices are drawn: a notice of fills changes with each fill. */
const DRAWN_EVERY_MS = 250
/** Number of notices before the fold. */
const DRAWN_MAX = 3

export type NoticesProps = {
  readonly trading: TradingState
  /** They are shown over the trades; if that panel is hidden, in the bar, which has space for one. */
  readonly isTapeShown: ReadonlySignal<boolean>
}

export function Notices({ trading, isTapeShown }: NoticesProps) {
  const { notices: words } = TEXTS
  const { notices } = trading
  const all = usePaced(notices.shown, DRAWN_EVERY_MS)
  const isPhone = useMedia('(width <= 44.9375rem)')
  const isOpen = useSignal(false)
  const { box, handlers, dismiss } = useReading(notices, all)
  const drawn = isOpen.value ? all : all.slice(0, isPhone || !isTapeShown.value ? 1 : DRAWN_MAX)
  const folded = all.length - drawn.length
  if (all.length === 0) isOpen.value = false
  return (
    <>
      <div class="trade-notices" ref={box} {...handlers}>
        {all.length > 0 && (
          <ul aria-label={words.title}>
            {drawn.map((notice) => (
              <Item key={notice.id} notice={notice} onDismiss={(event) => dismiss(notice.id, event)} />
            ))}
          </ul>
        )}
        {(folded > 0 || isOpen.value) && (
          <p class="trade-notices-fold">
            <button
              type="button"
              aria-expanded={isOpen.value}
              onClick={() => {
                isOpen.value = !isOpen.value
              }}
            >
              {isOpen.value ? words.fewer : words.more(folded)}
            </button>
            <button type="button" onClick={(event) => dismiss(undefined, event)}>
              {words.dismissAll}
            </button>
          </p>
        )}
      </div>
      <SpokenNotices notices={notices} />
    </>
  )
}

type ItemProps = { readonly notice: Notice; readonly onDismiss: (event: MouseEvent) => void }

function Item({ notice: { say, isProblem }, onDismiss }: ItemProps) {
  const text = say()
  return (
    <li class={isProblem ? 'trade-problem' : undefined}>
      <span>{text}</span>
      <button type="button" aria-label={TEXTS.notices.dismiss(text)} onClick={onDismiss}>
        ×
      </button>
    </li>
  )
}

/** For screen readers: a visible notice changes with each fill, and would be announced each time. */
function SpokenNotices({ notices }: { readonly notices: NoticeLog }) {
  return (
    <div class="unseen" role="log">
      {notices.spoken.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}

type Gone = {
  /** Undefined for all notices. */
  readonly id: number | undefined
  readonly isByKeyboard: boolean
}

/**
 * Holds the notices while the pointer or the focus is on them, or the page is not visible, and keeps the
 * focus nearby when one is dismissed.
 */
function useReading(notices: NoticeLog, all: readonly Notice[]) {
  const box = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<EventTarget | null>(null)
  const gone = useRef<Gone | undefined>(undefined)
  const held = useRef({ pointer: false, keyboard: false })
  const hold = (change: Partial<typeof held.current>) => {
    held.current = { ...held.current, ...change }
    const { pointer, keyboard } = held.current
    notices.hold(pointer || keyboard || document.hidden)
  }
  useEffect(() => {
    const onVisibility = () => hold({})
    document.addEventListener('visibilitychange', onVisibility)
    return () => document.removeEventListener('visibilitychange', onVisibility)
  }, [notices])
  useLayoutEffect(() => {
    // If a notice disappears under the pointer, no event reports that the pointer has left it.
    if (all.length === 0) hold({ pointer: false, keyboard: false })
    const { current } = gone
    if (current === undefined || all.some(({ id }) => id === (current.id ?? id))) return
    gone.current = undefined
    if (document.activeElement !== document.body) return
    const next = current.isByKeyboard ? box.current?.querySelector('button') : undefined
    const place = next ?? cameFrom.current
    if (place instanceof HTMLElement) place.focus()
  }, [all])
  const isInside = (place: EventTarget | null) =>
    place instanceof Node && box.current?.contains(place) === true
  const handlers = {
    onPointerEnter: () => hold({ pointer: true }),
    onPointerLeave: () => hold({ pointer: false }),
    onFocusIn: ({ target, relatedTarget }: FocusEvent) => {
      // Without a related target, the focused notice has just disappeared.
      if (relatedTarget !== null && !isInside(relatedTarget)) cameFrom.current = relatedTarget
      hold({ keyboard: target instanceof Element && target.matches(':focus-visible') })
    },
    onFocusOut: ({ relatedTarget }: FocusEvent) => {
      if (!isInside(relatedTarget)) hold({ keyboard: false })
    },
  }
  const dismiss = (id: number | undefined, { detail }: MouseEvent) => {
    gone.current = { id, isByKeyboard: detail === 0 }
    if (id === undefined) notices.dismissAll()
    else notices.dismiss(id)
  }
  return { box, handlers, dismiss }
}
