/** The most recent notices, and the settings for other alerts. */
import { useSignal } from '@preact/signals'
import { TEXTS } from '../../shared/texts/texts.ts'
import type { NoticeLog } from '../state/notice-log.ts'
import type { Alerts } from './alerts.ts'
import { CopyButton } from './history/copy-button.tsx'
import { ScrollBox } from './scroll-box.tsx'
import { Time } from './time.tsx'

type PanelProps = { readonly notices: NoticeLog; readonly alerts: Alerts }

export function NoticePanel({ notices, alerts }: PanelProps) {
  const { notices: words } = TEXTS
  const isRefused = useSignal(false)
  const log = notices.log.value
  return (
    <section aria-label={words.title}>
      <div class="history-bar">
        <label class="trade-check">
          <input
            type="checkbox"
            checked={alerts.isNotifying.value}
            onChange={({ currentTarget }) => {
              void alerts.setNotifying(currentTarget.checked).then((isDone) => {
                isRefused.value = !isDone
                currentTarget.checked = alerts.isNotifying.value
              })
            }}
          />
          {words.notify}
        </label>
        <label class="trade-check">
          <input
            type="checkbox"
            checked={alerts.isSounding.value}
            onChange={({ currentTarget }) => alerts.setSounding(currentTarget.checked)}
          />
          {words.sound}
        </label>
        <p class="orders-cancel">
          <button type="button" disabled={log.length === 0} onClick={() => notices.clear()}>
            {words.clear}
          </button>
        </p>
      </div>
      {isRefused.value && (
        <p class="trade-problem" role="alert">
          {words.notAllowed}
        </p>
      )}
      {log.length === 0 ? (
        <p class="trade-none">{words.none}</p>
      ) : (
        <ScrollBox>
          <ul class="notice-log">
            {log.map(({ id, at, say, isProblem, orderId }) => (
              <li key={id} class={isProblem ? 'trade-problem' : undefined}>
                <Time at={at} /> {say()}{' '}
                {orderId !== undefined && <CopyButton text={orderId} name={words.idOf(say())} />}
              </li>
            ))}
          </ul>
        </ScrollBox>
      )}
    </section>
  )
}
