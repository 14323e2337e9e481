/** Tabs as ARIA has them: one is in the order of the keyboard, arrows go to the others, and the panel of the chosen one is drawn alone. */
import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { usePaced } from '../view/paced.ts'

const DRAWN_EVERY_MS = 100

export type Tab<Id extends string> = {
  readonly id: Id
  readonly title: string
  /** How many there are, where that is known. */
  readonly count?: ReadonlySignal<number> | undefined
}

type TabsProps<Id extends string> = {
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly chosen: Id
  readonly onChoice: (id: Id) => void
  /** The panel of the chosen tab. */
  readonly children: ComponentChildren
}

export function Tabs<Id extends string>({ label, tabs, chosen, onChoice, children }: TabsProps<Id>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const go = (to: number) => {
    const tab = tabs[(to + tabs.length) % tabs.length]
    if (tab === undefined) return
    onChoice(tab.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = keyTarget(
      event.key,
      tabs.findIndex((tab) => tab.id === chosen),
      tabs.length,
    )
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            type="button"
            role="tab"
            key={tab.id}
            id={`${id}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === chosen}
            aria-controls={tab.id === chosen ? `${id}-panel` : undefined}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => onChoice(tab.id)}
          >
            {tab.title}
            {tab.count !== undefined && <Count count={tab.count} />}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} class="tab-panel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  )
}

/** A component of its own: the panel is not drawn again when it changes. */
function Count({ count }: { readonly count: ReadonlySignal<number> }) {
  return <span> ({usePaced(count, DRAWN_EVERY_MS)})</span>
}

/** Where a key leads from a tab. */
function keyTarget(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return from + 1
    case 'ArrowLeft':
      return from - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
