/**
 * Tabs by the ARIA pattern: the chosen one can be reached by Tab, the others by arrows, and only its panel is
 * drawn.
 */
import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { tabOfKey } from '../../shared/tab-keys.ts'
import { useElementId } from '../view/element-id.ts'
import { usePaced } from '../view/paced.ts'

const DRAWN_EVERY_MS = 100

export type Tab<Id extends string> = {
  readonly id: Id
  readonly title: string
  /** Number of entries, if known. */
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
  const id = useElementId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === chosen)
    const tab = tabs[tabOfKey(event.key, at, tabs.length) ?? -1]
    if (tab === undefined) return
    event.preventDefault()
    onChoice(tab.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus()
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

/** A separate component, so that the panel is not rendered again when the number changes. */
function Count({ count }: { readonly count: ReadonlySignal<number> }) {
  return <span> ({usePaced(count, DRAWN_EVERY_MS)})</span>
}
